// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

/// One endpoint for many places in an app: loaded once, watched by whoever shows it.
///
/// ```swift
/// let todos = StatefulEndpoint(endpoint: TodosAPI.shared.todos())
/// ```
///
/// Use it from any thread. The newest load wins and cancels the one before it; a load that is cancelled
/// is no failure. The last good value stays readable in ``snapshot`` while a newer one is on its way. When
/// the last reference to it goes, so does its load.
public final class StatefulEndpoint<T: Sendable>: Sendable {
    /// Where a load has got to.
    public enum LoadingResult: Sendable, CustomStringConvertible {
        /// Nothing was loaded yet.
        case empty
        /// On its way; the task cancels it, for everybody.
        case loading(HTTPTask)
        /// The value.
        case success(T)
        /// Why there is none, or no newer one.
        case failure(any Error)

        /// The name of the case, with the type of a value, never the value.
        public var description: String {
            switch self {
            case .empty: "empty"
            case .loading: "loading"
            case .success: "success(\(T.self))"
            case .failure(let error): "failure(\(error))"
            }
        }
    }

    /// The value, the load and the error, as they were at one moment.
    public struct Snapshot: Sendable {
        /// The state.
        public let state: LoadingResult
        /// The last good value, local changes included: it stays while a newer one is loaded, and when
        /// that fails.
        public let value: T?
        /// Why the last load failed; nil again with the next value.
        public let error: (any Error)?
        /// When the value came from the server.
        public let loadedAt: Date?

        /// Whether a load is under way.
        public var isLoading: Bool {
            if case .loading = state { true } else { false }
        }
    }

    typealias Machine = LoadMachine<T>

    struct Core: Sendable {
        var machine = Machine()
        /// Counts the changes of the machine.
        var version = 0
        var observers: [Observer<LoadingResult>] = []
    }

    /// What is loaded.
    public let endpoint: Endpoint<T>
    private let transport: any HTTPTransport
    let core = Locked(Core())
    let tracker = Tracker()

    /// Creates one that has loaded nothing yet.
    ///
    /// - Parameters:
    ///   - endpoint: What to load.
    ///   - transport: Used as it is; by default the process's own stack.
    public init(endpoint: Endpoint<T>, transport: any HTTPTransport = .default) {
        self.endpoint = endpoint
        self.transport = transport
    }

    /// Creates one that loads over sessions of its own, which are made from a session's configuration.
    ///
    /// > Important: The session's delegate is not asked: state roots and pins as `ServerTrust`, and pass
    /// > a transport that has them.
    ///
    /// - Parameters:
    ///   - endpoint: What to load.
    ///   - urlSession: Its configuration is used. Cookies are the app's shared ones if it has these.
    public convenience init(endpoint: Endpoint<T>, urlSession: URLSession) {
        let configuration = urlSession.configuration
        let isShared = configuration.httpCookieStorage === HTTPCookieStorage.shared
        self.init(
            endpoint: endpoint,
            transport: URLSessionTransport(configuration: configuration)
                .standard(cookies: isShared ? .shared : .private))
    }

    deinit {
        if case .loading(let task) = core.withLock({ $0.machine.state }) { task.cancel() }
    }

    /// The present state.
    public var state: LoadingResult {
        snapshot.state
    }

    /// The value, the load and the error side by side.
    ///
    /// In SwiftUI, from iOS 17 on, a view that reads it is drawn again when it changes.
    public var snapshot: Snapshot {
        tracker.noteRead(of: self)
        let machine = core.withLock { $0.machine }
        return Snapshot(
            state: machine.state, value: machine.value, error: machine.error,
            loadedAt: machine.loadedAt)
    }

    /// Loads, whatever the state; a load under way is cancelled.
    ///
    /// The state is `loading` as soon as this returns. The last good value stays in ``snapshot``.
    public func load() {
        begin { _ in true }
    }

    /// Loads again and waits until that load has ended, well or not, or was replaced by another.
    ///
    /// For SwiftUI's `refreshable`. The last good value stays in ``snapshot``, also when this fails. A
    /// caller that is cancelled does not cancel the load, which others may be waiting for.
    public func reload() async {
        await begin { _ in true }?.value
    }

    /// Loads where nothing was loaded yet, or where the last load failed.
    public func loadIfNeeded() {
        begin { $0.needsLoad(maxAge: nil, now: Date()) }
    }

    /// Loads where nothing was loaded yet, where the last load failed, or where the value is too old.
    ///
    /// - Parameter maxAge: The greatest age of a value, in seconds since it came from the server.
    public func loadIfNeeded(maxAge: TimeInterval) {
        begin { $0.needsLoad(maxAge: maxAge, now: Date()) }
    }

    /// Forgets the value and the error, and cancels the load.
    public func clear() {
        transact { $0.clear() }
    }

    @discardableResult
    func begin(if isWanted: (Machine) -> Bool) -> Task<Void, Never>? {
        let task = HTTPTask { [weak self] task in self?.transact { $0.stop(task) } }
        let isBegun = transact { isWanted($0) ? $0.begin(task) : Machine.Outcome() }
        guard isBegun else { return nil }
        return task.start { [weak self, endpoint, transport] in
            let result = await endpoint.loadedResult(on: transport).value
            let now = Date()
            self?.transact { $0.end(task, with: result, at: now) }
            _ = task.finish()
        }
    }

    /// Changes the machine and tells everybody.
    ///
    /// The change is made on a copy and put in place if nobody was faster. So no code of others, not even
    /// the `deinit` of a value, runs under the lock.
    ///
    /// - Returns: Whether there was a new state to tell.
    @discardableResult
    func transact(_ change: (inout Machine) -> Machine.Outcome) -> Bool {
        while true {
            var (new, version) = core.withLock { ($0.machine, $0.version) }
            let outcome = change(&new)
            var due: [Observer<LoadingResult>] = []
            // What is replaced comes out with it, to be released after the lock.
            let replaced: Machine? = core.withLock { core in
                guard core.version == version else { return nil }
                core.version += 1
                if outcome.isChange { due = core.observers.filter { $0.put(new.state) } }
                return exchange(&core.machine, new)
            }
            guard replaced != nil else { continue }
            outcome.superseded?.cancel()
            guard outcome.isChange else { return false }
            tracker.noteChange(of: self)
            due.forEach { $0.deliver() }
            forgetOrphans(in: due)
            return true
        }
    }
}
