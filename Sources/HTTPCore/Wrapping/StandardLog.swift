// SPDX-License-Identifier: MIT

#if !canImport(os)
internal import Foundation

/// Where log lines go unless told otherwise: standard error.
enum StandardLog {
    static func write(_ line: String) {
        FileHandle.standardError.write(Data("[Duet] \(line)\n".utf8))
    }
}
#endif
