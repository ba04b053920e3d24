// SPDX-License-Identifier: MIT

internal import Foundation

/// One observer, with the states that it has not seen yet.
///
/// A mailbox for each makes order a matter of the lock alone: states are put in where they change, and one
/// delivery at a time takes them out, whatever the queue.
///
/// `@unchecked Sendable`: `owner` is set once, and a weak reference may be read from any thread.
final class Observer<State: Sendable>: @unchecked Sendable {
    private struct Mailbox {
        /// The oldest is last: taken from the front, a state would stay in the memory of the array, to be
        /// released later on under the lock.
        var states: [State] = []
        var isScheduled = false
        var isRemoved = false
    }

    let ownerID: ObjectIdentifier
    private weak var owner: AnyObject?
    private let queue: DispatchQueue?
    private let call: @Sendable (State) -> Void
    private let mailbox = Locked(Mailbox())

    /// - Parameters:
    ///   - owner: Not kept alive; when it is gone, nobody is called.
    ///   - queue: Where the closure is called; nil: on the thread that changed the state.
    ///   - call: Called once for each state, in order, never twice at once.
    init(owner: AnyObject, queue: DispatchQueue?, call: @escaping @Sendable (State) -> Void) {
        ownerID = ObjectIdentifier(owner)
        self.owner = owner
        self.queue = queue
        self.call = call
    }

    /// Never asked under a lock: to read a weak reference can release the last strong one, whose `deinit`
    /// may call anything.
    var isOrphan: Bool {
        owner == nil
    }

    /// Puts a state in.
    ///
    /// - Returns: Whether `deliver()` has to follow, after the caller's lock.
    func put(_ state: State) -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.isRemoved else { return false }
            mailbox.states.insert(state, at: 0)
            return !exchange(&mailbox.isScheduled, true)
        }
    }

    func deliver() {
        guard let queue else { return drain() }
        queue.async { self.drain() }
    }

    /// From now on, no call begins.
    func remove() {
        mailbox.withLock { $0.isRemoved = true }
    }

    /// Delivers one state, and comes back for the next: on a serial queue all observers are told of a state
    /// before one is told of the next.
    private func drain() {
        var hasMore = true
        while hasMore {
            let state = mailbox.withLock { $0.isRemoved ? nil : $0.states.popLast() }
            if let state, !isOrphan { call(state) }
            hasMore = mailbox.withLock { mailbox in
                mailbox.isScheduled = !mailbox.isRemoved && !mailbox.states.isEmpty
                return mailbox.isScheduled
            }
            if hasMore, queue != nil { return deliver() }
        }
    }
}
