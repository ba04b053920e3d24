// SPDX-License-Identifier: MIT

/// <https://developer.apple.com/documentation/uikit/uiapplication>.
@MainActor open class UIApplication: UIResponder {}

/// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate>.
@MainActor public protocol UIApplicationDelegate: AnyObject {
    init()

    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:configurationforconnecting:options:)>.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
}

extension UIApplicationDelegate {
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/main()>: what `@main` calls.
    public static func main() {}
}

/// <https://developer.apple.com/documentation/uikit/uiscene>.
@MainActor open class UIScene: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions>.
    @MainActor open class ConnectionOptions {}
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscene>.
@MainActor open class UIWindowScene: UIScene {}

/// <https://developer.apple.com/documentation/uikit/uiscenesession>.
@MainActor open class UISceneSession {
    /// <https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct>.
    public struct Role: Hashable, RawRepresentable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    public let role: UISceneSession.Role

    init(role: UISceneSession.Role) {
        self.role = role
    }
}

/// <https://developer.apple.com/documentation/uikit/uisceneconfiguration>.
@MainActor open class UISceneConfiguration {
    open var delegateClass: AnyClass?

    /// <https://developer.apple.com/documentation/uikit/uisceneconfiguration/init(name:sessionrole:)>.
    public init(name: String?, sessionRole: UISceneSession.Role) {}
}

/// <https://developer.apple.com/documentation/uikit/uiscenedelegate>.
@MainActor public protocol UISceneDelegate: AnyObject {
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)>.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscenedelegate>.
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

/// <https://developer.apple.com/documentation/uikit/uitabbarcontroller>.
@MainActor open class UITabBarController: UIViewController {
    /// <https://developer.apple.com/documentation/uikit/uitabbarcontroller/viewcontrollers>.
    open var viewControllers: [UIViewController]? {
        didSet {
            for child in viewControllers ?? [] { addChild(child) }
        }
    }
}
