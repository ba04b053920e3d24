// SPDX-License-Identifier: MIT

/// Waits until nobody else does so, and runs something: for each test that has a process of its own.
///
/// While such a process runs, Swift Testing blocks a thread of tasks, of which there are no more than cores. With
/// two of them on two cores, every other test stands still for as long, and its limits of time run out.
///
/// Nor does a test that is cancelled go before its turn.
public func inTurn(_ work: () async throws -> Void) async rethrows {
    await withCheckedContinuation { continuation in
        let isFirst = turns.withLock { turns in
            if turns.isTaken { turns.waiting.append(continuation) }
            defer { turns.isTaken = true }
            return !turns.isTaken
        }
        if isFirst { continuation.resume() }
    }
    defer {
        let next = turns.withLock { turns in
            turns.isTaken = !turns.waiting.isEmpty
            return turns.isTaken ? turns.waiting.removeFirst() : nil
        }
        next?.resume()
    }
    try await work()
}

private struct Turns: Sendable {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
}

private let turns = LoopbackServer.Guarded(Turns())
