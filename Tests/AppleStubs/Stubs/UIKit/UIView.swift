// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiresponder>.
///
/// No `NSObject` here, whose `init` belongs to no actor.
@MainActor open class UIResponder {
    public init() {}
}

/// <https://developer.apple.com/documentation/uikit/uiview>.
@MainActor open class UIView: UIResponder {
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    open var isHidden = false
    open var isUserInteractionEnabled = true
    open var clipsToBounds = false
    open var translatesAutoresizingMaskIntoConstraints = true
    public let layer = CALayer()
    public let safeAreaLayoutGuide = UILayoutGuide()
    open var backgroundColor: UIColor?

    /// <https://developer.apple.com/documentation/uikit/uiview/init(frame:)>.
    public init(frame: CGRect) {
        super.init()
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/init(coder:)>.
    public required init?(coder: NSCoder) {
        super.init()
    }

    public convenience override init() {
        self.init(frame: .zero)
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/window>.
    open var window: UIWindow? {
        superview?.window
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)>.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        view.tellWindow()
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/removefromsuperview()>.
    open func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        tellWindow()
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/didmovetowindow()>: also called with no window,
    /// for a view that was put into one that is in none.
    open func didMoveToWindow() {}

    private func tellWindow() {
        didMoveToWindow()
        for view in subviews { view.tellWindow() }
    }

    public let leadingAnchor = NSLayoutXAxisAnchor()
    public let trailingAnchor = NSLayoutXAxisAnchor()
    public let centerXAnchor = NSLayoutXAxisAnchor()
    public let topAnchor = NSLayoutYAxisAnchor()
    public let bottomAnchor = NSLayoutYAxisAnchor()
    public let centerYAnchor = NSLayoutYAxisAnchor()

    /// <https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement>.
    open var isAccessibilityElement = false
    /// <https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilitylabel>.
    open var accessibilityLabel: String?
}

/// <https://developer.apple.com/documentation/uikit/uiwindow>.
@MainActor open class UIWindow: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)>.
    public init(windowScene: UIWindowScene) {
        super.init(frame: .zero)
    }

    override public init(frame: CGRect) {
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override open var window: UIWindow? { self }

    open var rootViewController: UIViewController? {
        didSet {
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if let view = rootViewController?.view { addSubview(view) }
        }
    }

    open func makeKeyAndVisible() {}
}

/// <https://developer.apple.com/documentation/quartzcore/calayer>.
open class CALayer {
    open var cornerRadius: CGFloat = 0
}
