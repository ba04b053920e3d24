// SPDX-License-Identifier: MIT

import Foundation

/// Remembers what it is given, from anywhere.
///
/// `@unchecked Sendable`: `recorded` is touched under `lock` alone.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [Value] = []

    func append(_ value: Value) {
        lock.withLock { recorded.append(value) }
    }

    var values: [Value] {
        lock.withLock { recorded }
    }
}
