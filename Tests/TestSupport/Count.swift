// SPDX-License-Identifier: MIT

public import Foundation

/// Counts what happens, and lets a test wait for so many of it.
public final class Count: Sendable {
    private let count = LoopbackServer.Guarded(0)

    /// Creates a count of none.
    public init() {}

    /// How many there were.
    public var value: Int { count.withLock { $0 } }

    /// Notes one more, and returns how many there are then.
    @discardableResult
    public func add() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    /// Waits until there were so many; false if that takes too long.
    public func wait(for number: Int, timeout: TimeInterval = 120) async -> Bool {
        await withCheckedContinuation { continuation in
            // A thread of its own: those of tasks are few.
            Thread.detachNewThread { [count] in
                continuation.resume(
                    returning: count.wait(timeout: timeout) { $0 >= number })
            }
        }
    }
}
