// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import HTTPCore

/// Shows that something is under way.
///
/// Calls come in pairs, and loads at the same time may nest them: stop with the last.
@MainActor public protocol ActivityIndicator {
    /// A load has begun.
    func startActivity()
    /// A load has ended, well or not.
    func stopActivity()
}

/// One load's part in an indicator: it starts it once and stops it once.
@MainActor final class Activity {
    private let indicator: (any ActivityIndicator)?
    private let stop: @MainActor () -> Void
    private var isOn = false
    private var isShown = false

    init(_ indicator: (any ActivityIndicator)?) {
        self.indicator = indicator
        stop = { indicator?.stopActivity() }
    }

    /// Goes with the observer that it was for, which the app may take away during a load.
    deinit {
        if isShown { MainQueue.run(stop) }
    }

    /// - Parameter isShown: False where something else shows it already.
    func start(showing isShown: Bool = true) {
        guard !exchange(&isOn, true), isShown else { return }
        self.isShown = true
        indicator?.startActivity()
    }

    /// Returns whether there was a load to end.
    @discardableResult
    func end() -> Bool {
        if exchange(&isShown, false) { stop() }
        return exchange(&isOn, false)
    }
}
#endif
