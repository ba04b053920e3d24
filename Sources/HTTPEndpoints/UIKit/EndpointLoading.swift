// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import Foundation
public import HTTPCore
public import UIKit

/// A view controller that loads endpoints, and shows that it does and what went wrong.
///
/// ```swift
/// class TodosViewController: UITableViewController, EndpointLoading {
///     var todos: [Todo] = []
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         observe(endpoint: TodosAPI.shared.all) { [weak self] todos in
///             self?.todos = todos
///             self?.tableView.reloadData()
///         }
///     }
/// }
/// ```
///
/// All of it ends when the controller leaves the screen for good (popped, dismissed, taken out of its
/// container): what it loads is cancelled, and the closures are let go, so that it is freed even where they
/// capture it strongly. One that goes while another screen covers it is freed at the latest with the next state
/// of what it observes. A controller that is shown again after that has to observe again.
@MainActor public protocol EndpointLoading: UIViewController {}

extension EndpointLoading {
    /// Loads an endpoint for this screen.
    ///
    /// - Parameters:
    ///   - endpoint: What to load.
    ///   - transport: Used as it is; by default the process's own stack.
    ///   - activityIndicator: Shows that it is being loaded; nil: as ``EndpointDefaults`` says.
    ///   - onError: Gets what went wrong; nil: as ``EndpointDefaults`` says.
    ///   - onSuccess: Gets the value.
    /// - Returns: The load, to cancel it. Nobody is called then. A retry is a load of its own, which this does
    ///   not cancel.
    @discardableResult
    public func load<T>(
        endpoint: Endpoint<T>, transport: any HTTPTransport = .default,
        activityIndicator: (any ActivityIndicator)? = nil,
        onError: ((any Error) -> Void)? = nil, onSuccess: @escaping (T) -> Void
    ) -> HTTPTask {
        let activity = Activity(
            activityIndicator ?? EndpointDefaults.defaultActivityIndicator(self))
        let ending = Ending<Result<T, any Error>> { [weak self] result in
            activity.end()
            switch result {
            case .success(let value): onSuccess(value)
            case .failure(let error):
                EndpointDefaults.tell(
                    error, to: onError ?? EndpointDefaults.defaultErrorHandler(self)
                ) {
                    self?.load(
                        endpoint: endpoint, transport: transport,
                        activityIndicator: activityIndicator, onError: onError,
                        onSuccess: onSuccess)
                }
            case nil: break
            }
        }
        let screen = ScreenWatch.of(self)
        let task = HTTPTask { [weak screen] task in
            MainQueue.run {
                screen?.forget(task)
                ending.end(with: nil)
            }
        }
        screen.onLeaving(task) { task.cancel() }
        activity.start()
        endpoint.load(as: task, on: transport) { [weak screen] result in
            screen?.forget(task)
            ending.end(with: result)
        }
        return task
    }

    /// Shows a shared endpoint on this screen, from its present state on.
    ///
    /// Loads where nothing was loaded yet. A refresh control that the user has pulled stands for the activity
    /// indicator, and is ended with the load.
    ///
    /// - Parameters:
    ///   - endpoint: What to observe.
    ///   - activityIndicator: Shows that it is being loaded; nil: as ``EndpointDefaults`` says.
    ///   - onError: Gets what went wrong; nil: as ``EndpointDefaults`` says.
    ///   - onSuccess: Gets each value.
    public func observe<T>(
        endpoint: StatefulEndpoint<T>, activityIndicator: (any ActivityIndicator)? = nil,
        onError: ((any Error) -> Void)? = nil, onSuccess: @escaping (T) -> Void
    ) {
        let activity = Activity(
            activityIndicator ?? EndpointDefaults.defaultActivityIndicator(self))
        let show: @MainActor (StatefulEndpoint<T>.LoadingResult) -> Void = {
            [weak self, weak endpoint] state in
            guard let self, !ScreenWatch.of(self).leaveIfGone() else { return }
            let endRefreshing = RefreshControl.end(in: self)
            if case .loading = state { return activity.start(showing: endRefreshing == nil) }
            if activity.end() { endRefreshing?() }
            switch state {
            case .success(let value): onSuccess(value)
            case .failure(let error):
                EndpointDefaults.tell(
                    error, to: onError ?? EndpointDefaults.defaultErrorHandler(self)
                ) { endpoint?.loadIfNeeded() }
            case .empty, .loading: break
            }
        }
        let observer = endpoint.addObserver(owner: self, queue: .main, observeCurrent: true) {
            state in
            MainActor.assumeIsolated { show(state) }
        }
        ScreenWatch.of(self).onLeaving(observer) { [weak observer] in
            endpoint.removeObservers { $0 === observer }
        }
    }
}

/// What follows on the end of a load: called once, and let go on the main actor.
@MainActor private final class Ending<Value> {
    private var call: ((Value?) -> Void)?

    init(_ call: @escaping (Value?) -> Void) {
        self.call = call
    }

    func end(with value: Value?) {
        exchange(&call, nil)?(value)
    }
}
#endif
