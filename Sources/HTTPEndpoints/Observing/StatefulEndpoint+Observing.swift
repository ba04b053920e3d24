// SPDX-License-Identifier: MIT

public import Foundation

// Who is told of a new state, and where.
extension StatefulEndpoint {
    /// Calls a closure on the main actor for each state, in order.
    ///
    /// Loads where nothing was loaded yet, but not after a failure.
    ///
    /// - Parameters:
    ///   - owner: Whoever observes. It is not kept alive, and when it is gone the closure is no longer
    ///     called: let the closure capture it weakly.
    ///   - observeCurrent: Whether the present state is the first one.
    ///   - observer: May call anything here.
    public func observe(
        owner: AnyObject, observeCurrent: Bool = true,
        observer: @escaping @MainActor (LoadingResult) -> Void
    ) {
        addObserver(owner: owner, queue: .main, observeCurrent: observeCurrent) { state in
            MainActor.assumeIsolated { observer(state) }
        }
    }

    /// Calls a closure on a queue for each state, in order and one at a time, on a concurrent queue too.
    ///
    /// Loads where nothing was loaded yet, but not after a failure.
    ///
    /// - Parameters:
    ///   - owner: Whoever observes. It is not kept alive, and when it is gone the closure is no longer
    ///     called: let the closure capture it weakly.
    ///   - queue: Where the closure is called, the first time too.
    ///   - observeCurrent: Whether the present state is the first one.
    ///   - observer: May call anything here.
    public func observe(
        owner: AnyObject, queue: DispatchQueue, observeCurrent: Bool = true,
        observer: @escaping @Sendable (LoadingResult) -> Void
    ) {
        addObserver(owner: owner, queue: queue, observeCurrent: observeCurrent, call: observer)
    }

    /// Takes away all observers of an owner.
    ///
    /// From now on none of them is called. One that is just being called, on another thread, still comes to
    /// its end.
    public func removeObservers(owner: AnyObject) {
        removeObservers { $0.ownerID == ObjectIdentifier(owner) }
    }

    /// The states from the present one on, each of them, in order.
    ///
    /// Reading this property loads where nothing was loaded yet, but not after a failure. The sequence ends
    /// with the task that reads it.
    ///
    /// ```swift
    /// for await state in todos.states {
    ///     if case .success(let todos) = state { show(todos) }
    /// }
    /// ```
    public var states: AsyncStream<LoadingResult> {
        AsyncStream { continuation in
            let owner = StreamOwner()
            continuation.onTermination = { _ in self.removeObservers(owner: owner) }
            addObserver(owner: owner, queue: nil, observeCurrent: true) { continuation.yield($0) }
        }
    }

    // Without a queue, the closure is called on the thread that changed the state.
    @discardableResult
    func addObserver(
        owner: AnyObject, queue: DispatchQueue?, observeCurrent: Bool,
        call: @escaping @Sendable (LoadingResult) -> Void
    ) -> Observer<LoadingResult> {
        let observer = Observer(owner: owner, queue: queue, call: call)
        let (isDue, all) = core.withLock { core in
            core.observers.append(observer)
            // Now and then, so that those who are gone don't pile up while nothing changes.
            let all = core.observers.count.nonzeroBitCount == 1 ? core.observers : []
            return (observeCurrent && observer.put(core.machine.state), all)
        }
        if isDue { observer.deliver() }
        forgetOrphans(in: all)
        begin { $0.isEmpty }
        return observer
    }

    func forgetOrphans(in observers: [Observer<LoadingResult>]) {
        let orphans = Set(observers.lazy.filter(\.isOrphan).map(ObjectIdentifier.init))
        if !orphans.isEmpty { removeObservers { orphans.contains(ObjectIdentifier($0)) } }
    }

    /// Those that go are released after the lock, with what they captured.
    func removeObservers(where isGoing: (Observer<LoadingResult>) -> Bool) {
        let old = core.withLock { core in
            exchange(&core.observers, core.observers.filter { !isGoing($0) })
        }
        for observer in old where isGoing(observer) { observer.remove() }
    }
}

/// Stands for a reader of ``StatefulEndpoint/states``.
private final class StreamOwner: Sendable {}
