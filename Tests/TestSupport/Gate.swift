// SPDX-License-Identifier: MIT

public import Foundation

/// A latch between a test and a server script, or between two tasks: closed, then open for good.
///
/// A gate replaces a sleep: the server waits at the gate, the test looks at what it wants to see
/// and opens it.
public final class Gate: Sendable {
    struct State {
        var isOpen = false
        var nextToken = 0
        var observers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = LoopbackServer.Guarded(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    /// Opens the gate and lets everyone through; opening it again does nothing.
    public func open() {
        let observers = state.withLock { state in
            state.isOpen = true
            defer { state.observers = [:] }
            return state.observers.values
        }
        // Outside the lock: an observer may resume a task that asks this gate something at once.
        for observer in observers { observer() }
    }

    /// Waits until the gate is open or the current task is cancelled.
    public func wait() async {
        let waiter = Waiter()
        let token = observe { waiter.finish() }
        await withTaskCancellationHandler {
            await waiter.wait()
        } onCancel: {
            waiter.finish()
        }
        forget(token)
    }

    /// Blocks the calling thread until the gate is open; not for use in a task.
    ///
    /// - Returns: Whether the gate was opened within the time given.
    @discardableResult
    public func waitBlocking(timeout: TimeInterval = .infinity) -> Bool {
        state.wait(timeout: timeout) { $0.isOpen }
    }

    /// Calls the closure once when the gate opens, or at once when it is open already.
    @discardableResult
    func observe(_ observer: @escaping @Sendable () -> Void) -> Int? {
        let token = state.withLock { state -> Int? in
            guard !state.isOpen else { return nil }
            state.nextToken += 1
            state.observers[state.nextToken] = observer
            return state.nextToken
        }
        if token == nil { observer() }
        return token
    }

    /// Forgets an observer, so that a gate nobody opens does not keep its resources.
    func forget(_ token: Int?) {
        guard let token else { return }
        state.withLock { $0.observers[token] = nil }
    }
}

/// One task at a gate; the gate and a cancellation may both finish it, in any order.
private final class Waiter: Sendable {
    enum State {
        case pending
        case suspended(CheckedContinuation<Void, Never>)
        case finished
    }

    private let state = LoopbackServer.Guarded(State.pending)

    func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFinished = state.withLock { state in
                if case .finished = state { return true }
                state = .suspended(continuation)
                return false
            }
            if isFinished { continuation.resume() }
        }
    }

    func finish() {
        let previous = state.withLock { state in
            defer { state = .finished }
            return state
        }
        if case .suspended(let continuation) = previous { continuation.resume() }
    }
}
