// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import Foundation
import HTTPEndpoints
import UIKit

/// A controller under test, in a window behind a navigation controller.
@MainActor final class Screen: UIViewController, EndpointLoading {
    var values: [String] = []
    var errors: [any Error] = []

    /// The panel of the activity overlay, if it is there.
    var panels: [UIVisualEffectView] {
        view.subviews.compactMap { $0 as? UIVisualEffectView }
    }

    var alert: UIAlertController? {
        presentedViewController as? UIAlertController
    }
}

@MainActor final class List: UITableViewController, EndpointLoading {
    var values: [String] = []

    var panels: [UIVisualEffectView] {
        view.subviews.compactMap { $0 as? UIVisualEffectView }
    }
}

/// A window with a root behind which nothing else is, and what is pushed onto it.
@MainActor struct Stage {
    let window = UIWindow()
    let navigation = UINavigationController(rootViewController: UIViewController())

    init() {
        window.rootViewController = navigation
    }

    func push(_ controller: UIViewController) {
        navigation.pushViewController(controller, animated: true)
    }

    func pop() {
        navigation.popViewController(animated: true)
    }

    /// As UIKit does it: those in between go without having come into a window.
    func popToRoot() {
        let all = navigation.children
        all.last?.view.removeFromSuperview()
        for child in all.dropFirst().reversed() { child.removeFromParent() }
        navigation.view.addSubview(all[0].view)
    }
}

/// Counts the calls it gets.
@MainActor final class Counter: ActivityIndicator {
    var starts = 0
    var stops = 0

    func startActivity() { starts += 1 }
    func stopActivity() { stops += 1 }
}
#endif
