// SPDX-License-Identifier: MIT

internal import Foundation

/// A value that one thread at a time can touch.
///
/// `@unchecked Sendable`: `value` is read and written only inside `withLock`, under `lock`.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// Replaces a value and returns the old one.
package func exchange<Value>(_ value: inout Value, _ new: consuming Value) -> Value {
    let old = value
    value = new
    return old
}
