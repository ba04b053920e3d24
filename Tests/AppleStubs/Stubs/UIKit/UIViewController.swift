// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>.
@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        super.init()
    }

    public private(set) var viewIfLoaded: UIView?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/view>.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            if viewIfLoaded == nil {
                loadView()
                viewDidLoad()
            }
            return viewIfLoaded
        }
        set { viewIfLoaded = newValue }
    }

    open func loadView() {
        view = UIView()
    }

    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/title>.
    open var title: String?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/navigationitem>.
    public let navigationItem = UINavigationItem()

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/tabbaritem>.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! = UITabBarItem(title: nil, image: nil, tag: 0)

    // MARK: Containers

    public private(set) weak var parent: UIViewController?
    public private(set) var children: [UIViewController] = []

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)>.
    open func addChild(_ childController: UIViewController) {
        children.append(childController)
        childController.parent = self
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/removefromparent()>.
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    // MARK: Presenting

    private var presented: UIViewController?
    private weak var presenting: UIViewController?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller>: presented by
    /// this one or an ancestor.
    open var presentedViewController: UIViewController? {
        presented ?? parent?.presentedViewController
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller>: of this one
    /// or an ancestor.
    open var presentingViewController: UIViewController? {
        presenting ?? parent?.presentingViewController
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed>.
    public private(set) var isBeingDismissed = false

    /// <https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator>.
    public private(set) var transitionCoordinator: (any UIViewControllerTransitionCoordinator)?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)>.
    ///
    /// As UIKit does, it refuses where something is presented already, and where the view is in no window.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil, let window = view.window else {
            return refused += 1
        }
        presented = viewControllerToPresent
        viewControllerToPresent.presenting = self
        if viewControllerToPresent.modalPresentationStyle == .fullScreen {
            window.rootViewController?.view.removeFromSuperview()
        }
        window.addSubview(viewControllerToPresent.view)
        completion?()
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)>.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let presented else { return presenting?.dismiss(animated: flag) ?? () }
        let window = presented.view.window
        presented.view.removeFromSuperview()
        presented.presenting = nil
        self.presented = nil
        if let root = window?.rootViewController?.view, root.superview == nil {
            window?.addSubview(root)
        }
        completion?()
    }

    /// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle>.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: For tests

    /// How often `present` was refused.
    public private(set) var refused = 0

    /// Begins a dismissal whose end the test decides by calling what this returns.
    public func beginDismissing(_ presented: UIViewController) -> () -> Void {
        let coordinator = Coordinator()
        presented.isBeingDismissed = true
        presented.transitionCoordinator = coordinator
        return {
            presented.isBeingDismissed = false
            presented.transitionCoordinator = nil
            self.dismiss(animated: true)
            for completion in coordinator.completions { completion(coordinator) }
        }
    }
}

/// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle>.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case automatic = -2
}

/// <https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinatorcontext>.
@MainActor public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {}

/// <https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator>.
@MainActor
public protocol UIViewControllerTransitionCoordinator:
    UIViewControllerTransitionCoordinatorContext
{
    /// <https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator/animate(alongsidetransition:completion:)>.
    @discardableResult
    func animate(
        alongsideTransition animation: (
            (any UIViewControllerTransitionCoordinatorContext) -> Void
        )?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

@MainActor private final class Coordinator: UIViewControllerTransitionCoordinator {
    var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    func animate(
        alongsideTransition animation: (
            (any UIViewControllerTransitionCoordinatorContext) -> Void
        )?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        return true
    }
}

/// <https://developer.apple.com/documentation/uikit/uinavigationcontroller>.
@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// <https://developer.apple.com/documentation/uikit/uinavigationcontroller/pushviewcontroller(_:animated:)>.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        children.last?.view.removeFromSuperview()
        addChild(viewController)
        view.addSubview(viewController.view)
    }

    /// <https://developer.apple.com/documentation/uikit/uinavigationcontroller/popviewcontroller(animated:)>.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let last = children.last else { return nil }
        last.view.removeFromSuperview()
        last.removeFromParent()
        if let view = children.last?.view { self.view.addSubview(view) }
        return last
    }
}
