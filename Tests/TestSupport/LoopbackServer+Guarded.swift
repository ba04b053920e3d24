// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackServer {
    /// A value behind a lock, with a way to block until it satisfies a condition.
    ///
    /// `Mutex` would do the first half, but it needs a newer system than this package does.
    ///
    /// `@unchecked Sendable` holds because `value` is the only mutable field, it is private, and
    /// both methods that touch it hold `condition` while they do.
    final class Guarded<Value: Sendable>: @unchecked Sendable {
        private let condition = NSCondition()
        private var value: Value

        init(_ value: Value) {
            self.value = value
        }

        func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            condition.lock()
            defer {
                condition.broadcast()
                condition.unlock()
            }
            return try body(&value)
        }

        /// Blocks the thread until the condition is met; false if the time ran out first.
        func wait(timeout: TimeInterval, until isMet: (Value) -> Bool) -> Bool {
            condition.lock()
            defer { condition.unlock() }
            // A day stands for forever: dates far in the future overflow in some C libraries.
            let deadline = Date(timeIntervalSinceNow: min(timeout, 86_400))
            while !isMet(value) {
                guard condition.wait(until: deadline) else { return isMet(value) }
            }
            return true
        }
    }
}
