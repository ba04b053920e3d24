// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS)
internal import Foundation
public import UIKit

/// A panel with a spinner in the middle of a view, for as long as anything there is being loaded.
///
/// All indicators of a view share one panel. It takes no touches, follows Dynamic Type and dark mode, and
/// VoiceOver says when it comes. Its word is looked up in the app's own strings: give `Loading` there to
/// translate it.
@MainActor public final class OverlayActivityIndicator: ActivityIndicator {
    private weak var parentView: UIView?
    private weak var panel: ActivityPanel?
    private var starts = 0

    /// Creates an indicator that shows nothing yet.
    ///
    /// - Parameter parentView: Where the panel appears. It is not kept alive.
    public init(parentView: UIView) {
        self.parentView = parentView
    }

    public func startActivity() {
        guard let parentView else { return }
        let panel = panel ?? ActivityPanel.shown(in: parentView)
        self.panel = panel
        panel.count += 1
        starts += 1
    }

    public func stopActivity() {
        guard starts > 0 else { return }
        starts -= 1
        panel?.count -= 1
    }
}

/// The panel, which goes when its count is down to zero.
private final class ActivityPanel: UIVisualEffectView {
    var count = 0 {
        didSet { if count == 0 { removeFromSuperview() } }
    }

    static func shown(in view: UIView) -> ActivityPanel {
        let known = view.subviews.lazy.compactMap { $0 as? ActivityPanel }.first
        return known ?? ActivityPanel(in: view)
    }

    private init(in view: UIView) {
        super.init(effect: UIBlurEffect(style: .regular))
        let text = NSLocalizedString("Loading", comment: "While something is being loaded")
        let spinner = UIActivityIndicatorView(style: .large)
        spinner.startAnimating()
        let label = UILabel()
        label.text = text
        label.font = .preferredFont(forTextStyle: .body)
        label.adjustsFontForContentSizeCategory = true
        label.numberOfLines = 0
        label.textAlignment = .center
        let stack = UIStackView(arrangedSubviews: [spinner, label])
        stack.axis = .vertical
        stack.alignment = .center
        stack.isLayoutMarginsRelativeArrangement = true

        isUserInteractionEnabled = false
        isAccessibilityElement = true
        accessibilityLabel = text
        clipsToBounds = true
        layer.cornerRadius = 10
        contentView.addSubview(stack)
        view.addSubview(self)
        for part in [stack, self] { part.translatesAutoresizingMaskIntoConstraints = false }
        let area = view.safeAreaLayoutGuide
        // Large text wraps inside the view. Not required, for the sake of a view without a size yet.
        let limits = [
            leadingAnchor.constraint(greaterThanOrEqualTo: area.leadingAnchor),
            topAnchor.constraint(greaterThanOrEqualTo: area.topAnchor),
        ]
        for limit in limits { limit.priority = UILayoutPriority(999) }
        NSLayoutConstraint.activate(
            limits + [
                stack.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
                stack.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
                stack.topAnchor.constraint(equalTo: contentView.topAnchor),
                stack.bottomAnchor.constraint(equalTo: contentView.bottomAnchor),
                centerXAnchor.constraint(equalTo: area.centerXAnchor),
                centerYAnchor.constraint(equalTo: area.centerYAnchor),
            ])
    }

    /// Announces the panel where it is seen; what is said before a screen appears is lost.
    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard window != nil else { return }
        UIAccessibility.post(notification: .announcement, argument: accessibilityLabel)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        nil
    }
}
#endif
