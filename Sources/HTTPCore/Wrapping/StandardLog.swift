// SPDX-License-Identifier: MIT

#if !canImport(os)
internal import Foundation

/// Where log lines go unless told otherwise: standard error.
enum StandardLog {
    static func write(_ line: String) {
        // A full disk or a closed pipe is no reason to fail a call; `write(_:)` would end the process.
        try? FileHandle.standardError.write(contentsOf: Data("[Duet] \(line)\n".utf8))
    }
}
#endif
