// SPDX-License-Identifier: MIT

internal import Foundation

/// Bounds how much the repeats of all requests together add to what a server has to bear.
///
/// A bucket of tokens: each repeat takes one; each request gives a tenth of one, and each minute one. While a
/// server fails, a client so repeats a tenth of its requests, and a handful more; without a budget it would
/// repeat all of them, again and again. A repeat of what never left takes no token.
public final class RetryBudget: Sendable {
    private let capacity: Double
    private let perRequest: Double
    private let state: Locked<(tokens: Double, time: Double?)>

    /// Creates a full bucket; policies that hold the same one share it.
    ///
    /// - Parameters:
    ///   - capacity: The most tokens that it holds.
    ///   - perRequest: What each request gives that is no repeat.
    public init(capacity: Double = 5, perRequest: Double = 0.1) {
        (self.capacity, self.perRequest) = (capacity, perRequest)
        state = Locked((capacity, nil))
    }

    /// Notes a request that is no repeat.
    func earn(now: Double) {
        state.withLock { state in
            let minutes = (now - (state.time ?? now)) / 60
            state = (min(capacity, state.tokens + perRequest + minutes), now)
        }
    }

    /// Takes a token; false when there is none.
    func spend() -> Bool {
        state.withLock { state in
            guard state.tokens >= 1 else { return false }
            state.tokens -= 1
            return true
        }
    }
}
