// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport

/// A list that grows, and whom it wakes when it is long enough.
final class Tally<Line: Sendable>: Sendable {
    private struct State {
        var lines: [Line] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<[Line], Never>)] = []
    }

    private let state = Locked(State())

    var all: [Line] {
        state.withLock { $0.lines }
    }

    @discardableResult
    func add(_ line: Line) -> Int {
        let (lines, due) = state.withLock { state in
            state.lines.append(line)
            let count = state.lines.count
            let due = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.lines, due)
        }
        for waiter in due { waiter.continuation.resume(returning: lines) }
        return lines.count
    }

    /// Waits until so many lines are there.
    func wait(_ count: Int) async -> [Line] {
        await withCheckedContinuation { continuation in
            let lines: [Line]? = state.withLock { state in
                if state.lines.count >= count { return state.lines }
                state.waiters.append((count, continuation))
                return nil
            }
            if let lines { continuation.resume(returning: lines) }
        }
    }
}

/// What observers have seen, in words, in the order of their calls.
typealias StateLog = Tally<String>

extension Tally<String> {
    func add(_ state: StatefulEndpoint<Int>.LoadingResult, _ prefix: String = "") {
        switch state {
        case .success(let value): add(prefix + "\(value)")
        case .failure: add(prefix + "failure")
        case .empty, .loading: add(prefix + state.description)
        }
    }
}

/// Whoever observes.
final class Owner: Sendable {}
