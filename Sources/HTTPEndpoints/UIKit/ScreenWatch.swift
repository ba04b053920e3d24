// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import Foundation
internal import HTTPCore
internal import UIKit

/// An invisible view that notices when its controller leaves the screen for good, and ends what it does.
///
/// UIKit tells a controller alone of its own coming and going; a view is told by being put into a window
/// and taken out, and needs nothing of the controller's class.
final class ScreenWatch: UIView {
    private weak var controller: UIViewController?
    private var wasShown = false
    private var ends: [ObjectIdentifier: @Sendable () -> Void] = [:]
    private var openings: [() -> Void] = []

    static func of(_ controller: UIViewController) -> ScreenWatch {
        let view: UIView = controller.view
        if let known = view.subviews.lazy.compactMap({ $0 as? ScreenWatch }).first { return known }
        let watch = ScreenWatch(frame: .zero)
        watch.controller = controller
        watch.isHidden = true
        view.addSubview(watch)
        return watch
    }

    /// Calls a closure when the screen is left, unless `forget(_:)` came first.
    func onLeaving(_ id: AnyObject, _ end: @escaping @Sendable () -> Void) {
        ends[ObjectIdentifier(id)] = end
    }

    func forget(_ id: AnyObject) {
        ends[ObjectIdentifier(id)] = nil
    }

    /// Calls a closure when the screen is first shown; at once when it is on, never when it was.
    func onOpening(_ work: @escaping () -> Void) {
        if window != nil { return work() }
        if !wasShown { openings.append(work) }
    }

    deinit {
        ends.values.forEach { $0() }
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard window == nil else {
            wasShown = true
            return exchange(&openings, []).forEach { $0() }
        }
        // A controller on its way out still hangs on its container while its view goes.
        DispatchQueue.main.async { [weak self] in self?.leaveIfGone() }
    }

    /// Ends what the screen does if it is gone, and returns whether it is.
    ///
    /// Behind another tab or under a presented screen, a view is in no window either: the topmost container
    /// tells that from being gone. A screen that goes from there passes no window, so whoever has something
    /// to tell it asks too.
    @discardableResult
    func leaveIfGone() -> Bool {
        guard wasShown, window == nil, var top = controller else { return false }
        while let parent = top.parent { top = parent }
        guard top.viewIfLoaded?.window == nil, top.presentingViewController == nil,
            top.presentedViewController == nil
        else { return false }
        exchange(&ends, [:]).values.forEach { $0() }
        return true
    }
}
#endif
