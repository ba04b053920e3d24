// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import Foundation
internal import HTTPCore
internal import UIKit

/// The alert about an error: one at a time, whose Retry button tries all again that failed meanwhile.
@MainActor enum ErrorAlert {
    private static weak var shown: UIAlertController?
    private static weak var retries: Retries?

    /// Held by the alert's buttons, to go with it, however that goes.
    private final class Retries {
        var all: [() -> Void] = []
    }

    static func show(_ error: any Error, on controller: UIViewController, retry: (() -> Void)?) {
        guard !error.isCancellation else { return }
        guard controller.viewIfLoaded?.window != nil else {
            // Too early, and not too late: an alert for a screen that the user has left is noise.
            return ScreenWatch.of(controller).onOpening { [weak controller] in
                if let controller { show(error, on: controller, retry: retry) }
            }
        }
        var top = controller
        while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
        guard !(top is UIAlertController) else {
            if top === shown, let retry { retries?.all.append(retry) }
            return
        }
        guard let coordinator = top.presentedViewController?.transitionCoordinator else {
            return present(error, on: top, retry: retry)
        }
        // A controller that is dismissing another can't present: wait until that is gone.
        coordinator.animate(alongsideTransition: nil) { [weak controller] _ in
            DispatchQueue.main.async {
                if let controller { show(error, on: controller, retry: retry) }
            }
        }
    }

    private static func present(
        _ error: any Error, on controller: UIViewController, retry: (() -> Void)?
    ) {
        let alert = UIAlertController(
            title: NSLocalizedString("Request Failed", comment: "Title of an alert"),
            message: userMessage(for: error), preferredStyle: .alert)
        let retries = Retries()
        self.retries = retries
        shown = alert
        alert.addAction(button(retry == nil ? "OK" : "Cancel", .cancel) {})
        if let retry {
            retries.all = [retry]
            let again = button("Retry", .default) { for retry in retries.all { retry() } }
            alert.addAction(again)
            alert.preferredAction = again
        }
        controller.present(alert, animated: true)
    }

    private static func button(
        _ title: String, _ style: UIAlertAction.Style, _ action: @escaping () -> Void
    ) -> UIAlertAction {
        UIAlertAction(
            title: NSLocalizedString(title, comment: "Button of an alert"), style: style
        ) { _ in action() }
    }
}
#endif
