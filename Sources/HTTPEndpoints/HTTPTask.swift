// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

/// A load that is under way and can be cancelled.
public final class HTTPTask: Sendable {
    private enum State {
        /// Nil until the work has begun.
        case running(Task<Void, Never>?)
        case cancelled
        case finished
    }

    private let state = Locked(State.running(nil))
    private let onCancel: @Sendable (HTTPTask) -> Void

    /// - Parameter onCancel: Called by the first `cancel()` that comes in time, on its thread.
    init(onCancel: @escaping @Sendable (HTTPTask) -> Void = { _ in }) {
        self.onCancel = onCancel
    }

    /// Ends the load.
    ///
    /// Its closure is not called from now on; after it was called, nothing happens.
    public func cancel() {
        let old = state.withLock { state in
            if case .finished = state { return State.finished }
            return exchange(&state, .cancelled)
        }
        guard case .running(let task) = old else { return }
        task?.cancel()
        onCancel(self)
    }

    /// Whether `cancel()` came before the result.
    public var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    @discardableResult
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // Not detached, which would lose the caller's priority and task-local values; from here it
        // takes no actor along.
        let task = Task { await work() }
        state.withLock { if case .running = $0 { $0 = .running(task) } }
        if isCancelled { task.cancel() }
        return task
    }

    /// Whether the result may be delivered: once, and not after `cancel()`.
    func finish() -> Bool {
        state.withLock { state in
            guard case .running = state else { return false }
            state = .finished
            return true
        }
    }
}

extension Endpoint {
    /// Loads the endpoint and calls a closure on the main actor, once; never once it was cancelled.
    ///
    /// - Parameters:
    ///   - transport: Used as it is; by default the process's own stack.
    ///   - completionHandler: Gets the value, or what ``load(on:)`` throws.
    /// - Returns: The load, to cancel it. It goes on when this is dropped.
    @discardableResult
    public func load(
        on transport: any HTTPTransport = .default,
        completionHandler: @escaping @MainActor (Result<T, any Error>) -> Void
    ) -> HTTPTask {
        let task = HTTPTask()
        load(as: task, on: transport, completionHandler: completionHandler)
        return task
    }

    func load(
        as task: HTTPTask, on transport: any HTTPTransport,
        completionHandler: @escaping @MainActor (Result<T, any Error>) -> Void
    ) {
        task.start {
            let result = await loadedResult(on: transport)
            await MainActor.run { if task.finish() { completionHandler(result.value) } }
        }
    }

    /// Loads the endpoint and calls a closure on a queue, once; never once it was cancelled.
    ///
    /// - Parameters:
    ///   - transport: Used as it is; by default the process's own stack.
    ///   - queue: Where the closure is called.
    ///   - completionHandler: Gets the value, or what ``load(on:)`` throws.
    /// - Returns: The load, to cancel it. It goes on when this is dropped.
    @discardableResult
    public func load(
        on transport: any HTTPTransport = .default, queue: DispatchQueue,
        completionHandler: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> HTTPTask {
        let task = HTTPTask()
        task.start {
            let result = await loadedResult(on: transport)
            queue.async { if task.finish() { completionHandler(result.value) } }
        }
        return task
    }

    func loadedResult(on transport: any HTTPTransport) async -> Made<Result<T, any Error>> {
        do {
            return Made(value: .success(try await loaded(on: transport)))
        } catch {
            return Made(value: .failure(error))
        }
    }
}
