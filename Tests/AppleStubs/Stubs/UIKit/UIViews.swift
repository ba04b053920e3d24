// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/uikit/uicolor>.
open class UIColor: @unchecked Sendable {
    public init() {}
}

/// <https://developer.apple.com/documentation/uikit/uifont>.
open class UIFont: @unchecked Sendable {
    public let style: TextStyle?

    init(style: TextStyle?) {
        self.style = style
    }

    /// <https://developer.apple.com/documentation/uikit/uifont/textstyle>.
    public struct TextStyle: Hashable, RawRepresentable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
    }

    /// <https://developer.apple.com/documentation/uikit/uifont/preferredfont(fortextstyle:)>.
    open class func preferredFont(forTextStyle style: UIFont.TextStyle) -> UIFont {
        UIFont(style: style)
    }
}

/// <https://developer.apple.com/documentation/uikit/nstextalignment>.
public enum NSTextAlignment: Int, Sendable {
    case left, center, right, justified, natural
}

/// <https://developer.apple.com/documentation/uikit/uilabel>.
@MainActor open class UILabel: UIView {
    open var text: String?
    open var font: UIFont?
    /// <https://developer.apple.com/documentation/uikit/uilabel/textcolor>: the system's own until it is set.
    open var textColor: UIColor?
    open var textAlignment = NSTextAlignment.natural
    /// <https://developer.apple.com/documentation/uikit/uilabel/numberoflines>.
    open var numberOfLines = 1
    /// <https://developer.apple.com/documentation/uikit/uicontentsizecategoryadjusting>.
    open var adjustsFontForContentSizeCategory = false
}

/// <https://developer.apple.com/documentation/uikit/uiactivityindicatorview>.
@MainActor open class UIActivityIndicatorView: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiactivityindicatorview/style-swift.enum>: `gray`,
    /// `white` and `whiteLarge` are deprecated since iOS 13.
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }

    public init(style: UIActivityIndicatorView.Style) {
        super.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    public private(set) var isAnimating = false
    /// <https://developer.apple.com/documentation/uikit/uiactivityindicatorview/color>: the system's own until it
    /// is set.
    open var color: UIColor?

    open func startAnimating() {
        isAnimating = true
    }
}

/// <https://developer.apple.com/documentation/uikit/uistackview>.
@MainActor open class UIStackView: UIView {
    public private(set) var arrangedSubviews: [UIView]
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var alignment = Alignment.fill
    open var isLayoutMarginsRelativeArrangement = false

    /// <https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum>.
    public enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
    }

    public init(arrangedSubviews views: [UIView]) {
        arrangedSubviews = views
        super.init(frame: .zero)
        for view in views { addSubview(view) }
    }

    public required init?(coder: NSCoder) {
        arrangedSubviews = []
        super.init(coder: coder)
    }
}

/// <https://developer.apple.com/documentation/uikit/uivisualeffect>.
@MainActor open class UIVisualEffect {
    init() {}
}

/// <https://developer.apple.com/documentation/uikit/uiblureffect>.
@MainActor open class UIBlurEffect: UIVisualEffect {
    /// <https://developer.apple.com/documentation/uikit/uiblureffect/style>.
    public enum Style: Int, Sendable {
        case extraLight, light, dark
        case regular = 4
    }

    /// For tests: what it was made with.
    public let style: UIBlurEffect.Style

    public init(style: UIBlurEffect.Style) {
        self.style = style
        super.init()
    }
}

/// <https://developer.apple.com/documentation/uikit/uivisualeffectview>.
@MainActor open class UIVisualEffectView: UIView {
    public let contentView = UIView()
    open var effect: UIVisualEffect?

    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        super.addSubview(contentView)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// UIKit raises an exception here: what is shown goes into `contentView`.
    override open func addSubview(_ view: UIView) {
        preconditionFailure("add to contentView")
    }
}

/// <https://developer.apple.com/documentation/uikit/uiscrollview>.
@MainActor open class UIScrollView: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiscrollview/refreshcontrol>.
    open var refreshControl: UIRefreshControl?
}

/// <https://developer.apple.com/documentation/uikit/uiaccessibility-swift.struct>.
public enum UIAccessibility {
    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/notification>.
    public struct Notification: Hashable, RawRepresentable, Sendable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// <https://developer.apple.com/documentation/uikit/uiaccessibility/notification/announcement>.
        public nonisolated static let announcement = Notification(rawValue: 1008)
    }

    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/post(notification:argument:)>.
    @MainActor public static func post(
        notification: UIAccessibility.Notification, argument: Any?
    ) {
        posted.append("\(argument ?? "nil")")
    }

    /// For tests: what was announced.
    @MainActor public static var posted: [String] = []
}
