// SPDX-License-Identifier: MIT

/// <https://developer.apple.com/documentation/uikit/uiaction>.
@MainActor open class UIAction {
    open var title: String
    /// <https://developer.apple.com/documentation/uikit/uiaction/sender>: who called, while the handler runs.
    public fileprivate(set) var sender: Any?
    private let handler: UIActionHandler

    /// <https://developer.apple.com/documentation/uikit/uiaction/init(title:subtitle:image:selectedimage:identifier:discoverabilitytitle:attributes:state:handler:)>.
    public init(title: String = "", handler: @escaping UIActionHandler) {
        self.title = title
        self.handler = handler
    }

    fileprivate func call(from sender: Any) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}

/// <https://developer.apple.com/documentation/uikit/uiactionhandler>.
public typealias UIActionHandler = (UIAction) -> Void

/// <https://developer.apple.com/documentation/uikit/uicontrol>.
@MainActor open class UIControl: UIView {
    private var actions: [(UIAction, UIControl.Event)] = []

    /// <https://developer.apple.com/documentation/uikit/uicontrol/event>.
    public struct Event: OptionSet, Sendable {
        public var rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        public static let valueChanged = Event(rawValue: 1 << 12)
    }

    /// <https://developer.apple.com/documentation/uikit/uicontrol/addaction(_:for:)>: iOS 14.
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
        actions.append((action, controlEvents))
    }

    /// <https://developer.apple.com/documentation/uikit/uicontrol/sendactions(for:)>.
    open func sendActions(for controlEvents: UIControl.Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
            action.call(from: self)
        }
    }
}

/// <https://developer.apple.com/documentation/uikit/uirefreshcontrol>.
@MainActor open class UIRefreshControl: UIControl {
    public private(set) var isRefreshing = false

    open func beginRefreshing() {
        isRefreshing = true
    }

    open func endRefreshing() {
        isRefreshing = false
    }

    /// For tests: the user pulls, which unlike `beginRefreshing()` sends an action.
    public func pull() {
        beginRefreshing()
        sendActions(for: .valueChanged)
    }
}

/// <https://developer.apple.com/documentation/uikit/uiswitch>.
@MainActor open class UISwitch: UIControl {
    open var isOn = false
}

/// <https://developer.apple.com/documentation/uikit/uinavigationitem>.
@MainActor open class UINavigationItem {
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
}

/// <https://developer.apple.com/documentation/uikit/uibarbuttonitem>.
@MainActor open class UIBarButtonItem {
    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/systemitem>.
    public enum SystemItem: Int, Sendable {
        case add = 4
    }

    open var customView: UIView?
    open var primaryAction: UIAction?

    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/init(systemitem:primaryaction:menu:)>: iOS 14.
    public init(systemItem: UIBarButtonItem.SystemItem, primaryAction: UIAction? = nil) {
        self.primaryAction = primaryAction
    }

    /// <https://developer.apple.com/documentation/uikit/uibarbuttonitem/init(customview:)>.
    public init(customView: UIView) {
        self.customView = customView
    }

    /// For tests: a tap.
    public func tap() {
        primaryAction?.call(from: self)
    }
}

/// <https://developer.apple.com/documentation/uikit/uitabbaritem>.
@MainActor open class UITabBarItem {
    /// <https://developer.apple.com/documentation/uikit/uitabbaritem/init(title:image:tag:)>.
    public init(title: String?, image: UIImage?, tag: Int) {}
}

/// <https://developer.apple.com/documentation/uikit/uiimage>.
open class UIImage: @unchecked Sendable {
    /// <https://developer.apple.com/documentation/uikit/uiimage/init(systemname:)>.
    public init?(systemName name: String) {}
}
