// SPDX-License-Identifier: MIT

import Foundation

/// Ends the process with a word on what hung: a task that never ends can't be failed from within.
func watched<Value>(
    _ name: String, for seconds: Double = 60, _ work: () async throws -> Value
) async rethrows -> Value {
    let bite = DispatchWorkItem {
        try? FileHandle.standardError.write(contentsOf: Data("hung: \(name)\n".utf8))
        exit(EXIT_FAILURE)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: bite)
    defer { bite.cancel() }
    return try await work()
}
