// SPDX-License-Identifier: MIT

public import Foundation

/// A clock that stands still until a test moves it.
public final class TestClock: Sendable {
    private struct State {
        var now: TimeInterval
        var sleepers: [(end: TimeInterval, gate: Gate)] = []
    }

    private let state: LoopbackServer.Guarded<State>

    /// Creates a clock.
    public init(at seconds: TimeInterval = 0) {
        state = LoopbackServer.Guarded(State(now: seconds))
    }

    /// Seconds since some moment.
    public var now: TimeInterval { state.withLock { $0.now } }

    /// Sleeps until the clock has been moved that far, or the task is cancelled.
    public func sleep(_ seconds: TimeInterval) async throws {
        let gate = Gate()
        state.withLock { state in
            guard seconds > 0 else { return gate.open() }
            state.sleepers.append((state.now + seconds, gate))
        }
        await gate.wait()
        try Task.checkCancellation()
    }

    /// Moves the clock, and wakes those whose time is up.
    public func move(by seconds: TimeInterval) {
        let gates = state.withLock { state in
            state.now += seconds
            let now = state.now
            defer { state.sleepers.removeAll { $0.end <= now } }
            return state.sleepers.filter { $0.end <= now }.map(\.gate)
        }
        for gate in gates { gate.open() }
    }

    /// Waits until somebody sleeps for exactly so many seconds from now; false if that takes too long.
    public func waitForSleeper(of seconds: TimeInterval, timeout: TimeInterval = 120) async -> Bool
    {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [state] in
                let found = state.wait(timeout: timeout) { state in
                    state.sleepers.contains { abs($0.end - state.now - seconds) < 1e-6 }
                }
                continuation.resume(returning: found)
            }
        }
    }
}
