// SPDX-License-Identifier: MIT

/// Waits until nobody else does so, and runs something: for each test that has a process of its own.
///
/// While such a process runs, Swift Testing blocks a thread of tasks, of which there are no more than cores. With
/// two of them on two cores, every other test stands still for as long, and its limits of time run out.
public func inTurn(_ work: () async throws -> Void) async rethrows {
    let gate = turns.withLock { turns -> Gate? in
        guard turns.isTaken else {
            turns.isTaken = true
            return nil
        }
        let gate = Gate()
        turns.waiting.append(gate)
        return gate
    }
    await gate?.wait()
    defer {
        let next = turns.withLock { turns -> Gate? in
            turns.isTaken = !turns.waiting.isEmpty
            return turns.isTaken ? turns.waiting.removeFirst() : nil
        }
        next?.open()
    }
    try await work()
}

private struct Turns: Sendable {
    var isTaken = false
    var waiting: [Gate] = []
}

private let turns = LoopbackServer.Guarded(Turns())
