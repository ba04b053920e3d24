// SPDX-License-Identifier: MIT

internal import Foundation

/// What is known of a value that is loaded, and what becomes of it: a pure value.
///
/// A load is known by its task. What comes from a task that is no longer the present one changes nothing:
/// that is how the newest load wins.
struct LoadMachine<T: Sendable>: Sendable {
    typealias State = StatefulEndpoint<T>.LoadingResult

    /// What a caller has to do about a change.
    struct Outcome {
        /// Whether there is a new state to tell.
        var isChange = false
        /// The load that is no longer wanted.
        var superseded: HTTPTask?
    }

    private struct Change: Sendable {
        let id: UUID
        let apply: @Sendable (inout T) -> Void
        var isKept = false
    }

    private(set) var state = State.empty
    /// The last good value, local changes included; only `clear()` forgets it.
    private(set) var value: T?
    /// Why the last load failed; gone with the next good value.
    private(set) var error: (any Error)?
    private(set) var loadedAt: Date?
    /// The value without the local changes that can still be taken back.
    private var base: T?
    private var changes: [Change] = []

    private var task: HTTPTask? {
        if case .loading(let task) = state { task } else { nil }
    }

    var isEmpty: Bool {
        if case .empty = state { true } else { false }
    }

    /// Whether `loadIfNeeded` loads: a value is too old past `maxAge` seconds, and whenever the clock was
    /// set back.
    func needsLoad(maxAge: TimeInterval?, now: Date) -> Bool {
        switch state {
        case .empty, .failure: return true
        case .loading: return false
        case .success:
            // A load that was stopped after one that has failed leaves the old value.
            guard error == nil else { return true }
            guard let maxAge, let loadedAt else { return false }
            let age = now.timeIntervalSince(loadedAt)
            return age < 0 || age > maxAge
        }
    }

    mutating func begin(_ task: HTTPTask) -> Outcome {
        let old = self.task
        state = .loading(task)
        return Outcome(isChange: true, superseded: old)
    }

    mutating func end(
        _ task: HTTPTask, with result: Result<T, any Error>, at now: Date
    ) -> Outcome {
        guard self.task === task else { return Outcome() }
        switch result {
        case .success(let value):
            self.value = value
            base = value
            changes = []
            error = nil
            loadedAt = now
            state = .success(value)
        case .failure(let error) where error.isCancellation:
            return stop(task)
        case .failure(let error):
            self.error = error
            state = .failure(error)
        }
        return Outcome(isChange: true)
    }

    /// Back to what there was: a load that is cancelled is no failure.
    mutating func stop(_ task: HTTPTask) -> Outcome {
        guard self.task === task else { return Outcome() }
        state = value.map(State.success) ?? .empty
        return Outcome(isChange: true)
    }

    mutating func clear() -> Outcome {
        let outcome = Outcome(isChange: !isEmpty || error != nil, superseded: task)
        self = LoadMachine()
        return outcome
    }

    /// Changes the value ahead of the server.
    ///
    /// A load under way would bring back the value from before the change, so it is given up.
    ///
    /// - Parameters:
    ///   - id: What to take the change back by.
    ///   - apply: The change, kept to be made again when an earlier one is taken back.
    /// - Returns: No new state where there is no value to change.
    mutating func change(_ id: UUID, _ apply: @escaping @Sendable (inout T) -> Void) -> Outcome {
        guard var value else { return Outcome() }
        apply(&value)
        changes.append(Change(id: id, apply: apply))
        return show(value)
    }

    /// Takes back one change and keeps the others.
    ///
    /// Nothing happens once a newer value has been loaded.
    mutating func rollBack(_ id: UUID) -> Outcome {
        guard let index = changes.firstIndex(where: { $0.id == id && !$0.isKept }), var value = base
        else { return Outcome() }
        changes.remove(at: index)
        for change in changes { change.apply(&value) }
        return show(value)
    }

    /// Keeps a change for good, if it was not taken back.
    ///
    /// Behind one that can still be taken back it stays in its place, for their order to hold.
    mutating func keep(_ id: UUID) -> Outcome {
        if let index = changes.firstIndex(where: { $0.id == id }) { changes[index].isKept = true }
        if let open = changes.firstIndex(where: { !$0.isKept }), var kept = base {
            for change in changes[..<open] { change.apply(&kept) }
            changes.removeFirst(open)
            base = kept
        } else {
            (base, changes) = (value, [])
        }
        return Outcome()
    }

    private mutating func show(_ value: T) -> Outcome {
        let old = task
        self.value = value
        state = .success(value)
        return Outcome(isChange: true, superseded: old)
    }
}

extension Error {
    /// Whether this says that somebody gave up, and not that something failed.
    var isCancellation: Bool {
        self is CancellationError || (self as? URLError)?.code == .cancelled
    }
}
