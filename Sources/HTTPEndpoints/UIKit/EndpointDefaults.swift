// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import HTTPCore
public import UIKit

/// What ``EndpointLoading`` shows while it loads and when that fails, unless a call says otherwise.
///
/// Set these once, where the app starts.
@MainActor public enum EndpointDefaults {
    /// Makes what shows that a controller is loading; by default an ``OverlayActivityIndicator``.
    public static var defaultActivityIndicator: (UIViewController?) -> (any ActivityIndicator)? = {
        controller in
        controller.map { OverlayActivityIndicator(parentView: $0.view) }
    }

    /// Makes what tells of an error; by default an alert with a title, the sentence that
    /// `userMessage(for:)` has for the error, and a Retry button.
    ///
    /// No alert for a cancellation, none on top of another. The words `Request Failed`, `Retry`, `Cancel` and
    /// `OK` are looked up in the app's own strings.
    public static var defaultErrorHandler: (UIViewController?) -> (any Error) -> Void = {
        controller in
        { [weak controller] error in
            if let controller { ErrorAlert.show(error, on: controller, retry: retry) }
        }
    }

    /// Tries again what has just failed; not nil while an error handler is being called.
    ///
    /// For error handlers of your own: keep it for a button.
    public private(set) static var retry: (() -> Void)?

    static func tell(
        _ error: any Error, to handler: (any Error) -> Void, retry: @escaping () -> Void
    ) {
        let outer = exchange(&self.retry, retry)
        handler(error)
        self.retry = outer
    }
}
#endif
