// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import HTTPEndpoints
import Testing
import UIKit

extension UIKitTests {
    @MainActor @Suite
    struct OverlayActivityIndicatorTests {
        private let view = UIView()

        private var panels: [UIVisualEffectView] {
            view.subviews.compactMap { $0 as? UIVisualEffectView }
        }

        @Test func itAnnouncesItselfOnceForAll() throws {
            UIAccessibility.posted = []
            let window = UIWindow()
            window.addSubview(view)
            let (first, second) = (
                OverlayActivityIndicator(parentView: view),
                OverlayActivityIndicator(parentView: view)
            )
            first.startActivity()
            first.startActivity()
            second.startActivity()
            #expect(UIAccessibility.posted == ["Loading"])
            let panel = try #require(panels.first)
            #expect(panel.isAccessibilityElement)
            #expect(panel.accessibilityLabel == "Loading")
            #expect(!panel.isUserInteractionEnabled)
        }

        // Behind another tab there is nothing to say; and what is said before a screen appears is lost.
        @Test func itAnnouncesItselfWhenItComesOnTheScreen() {
            UIAccessibility.posted = []
            OverlayActivityIndicator(parentView: view).startActivity()
            #expect(UIAccessibility.posted == [])
            let window = UIWindow()
            window.addSubview(view)
            #expect(UIAccessibility.posted == ["Loading"])
            view.removeFromSuperview()
            #expect(UIAccessibility.posted == ["Loading"])
        }

        @Test func itsTextFollowsDynamicType() throws {
            OverlayActivityIndicator(parentView: view).startActivity()
            let stack = try #require(panels.first?.contentView.subviews.first as? UIStackView)
            let label = try #require(stack.arrangedSubviews.last as? UILabel)
            #expect(label.text == "Loading")
            #expect(label.font?.style == .body)
            #expect(label.adjustsFontForContentSizeCategory)
            // In the largest sizes, and in languages with a longer word, one line is too little.
            #expect(label.numberOfLines == 0)
            #expect((stack.arrangedSubviews.first as? UIActivityIndicatorView)?.isAnimating == true)
        }

        @Test func itStaysInsideItsView() throws {
            OverlayActivityIndicator(parentView: view).startActivity()
            let panel = try #require(panels.first)
            let area = view.safeAreaLayoutGuide
            for (anchor, edge) in [
                (panel.leadingAnchor as AnyObject, area.leadingAnchor as AnyObject),
                (panel.topAnchor, area.topAnchor),
            ] {
                let limit = NSLayoutConstraint.active.first {
                    $0.first === anchor && $0.second === edge
                }
                #expect(limit?.relation == .greaterThanOrEqual)
                // A view without a size yet breaks it, and nobody has to hear of that.
                #expect(limit?.priority == UILayoutPriority(999))
            }
        }

        // What the system chooses follows light, dark and increased contrast.
        @Test func itsColoursAreTheSystems() throws {
            OverlayActivityIndicator(parentView: view).startActivity()
            let panel = try #require(panels.first)
            #expect((panel.effect as? UIBlurEffect)?.style == .regular)
            let stack = try #require(panel.contentView.subviews.first as? UIStackView)
            for view in [panel, panel.contentView, stack] + stack.arrangedSubviews {
                #expect(view.backgroundColor == nil)
                #expect((view as? UILabel)?.textColor == nil)
                #expect((view as? UIActivityIndicatorView)?.color == nil)
            }
        }

        @Test func itGoesWithTheLastAndAStopTooManyIsNobodysLoss() {
            let (first, second) = (
                OverlayActivityIndicator(parentView: view),
                OverlayActivityIndicator(parentView: view)
            )
            first.startActivity()
            second.startActivity()
            first.stopActivity()
            first.stopActivity()
            #expect(panels.count == 1)
            second.stopActivity()
            #expect(panels.isEmpty)
            first.startActivity()
            #expect(panels.count == 1)
        }

        @Test func itDoesNotKeepTheViewAlive() {
            var view: UIView? = UIView()
            weak let gone = view
            let indicator = OverlayActivityIndicator(parentView: view ?? UIView())
            indicator.startActivity()
            view = nil
            #expect(gone == nil)
            indicator.stopActivity()
            indicator.startActivity()
        }
    }
}
#endif
