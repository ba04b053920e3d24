// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/uikit/uialertaction>.
@MainActor open class UIAlertAction {
    /// <https://developer.apple.com/documentation/uikit/uialertaction/style-swift.enum>.
    public enum Style: Int, Sendable {
        case `default`, cancel, destructive
    }

    public let title: String?
    public let style: UIAlertAction.Style
    fileprivate let handler: ((UIAlertAction) -> Void)?

    /// <https://developer.apple.com/documentation/uikit/uialertaction/init(title:style:handler:)>.
    public init(
        title: String?, style: UIAlertAction.Style, handler: ((UIAlertAction) -> Void)? = nil
    ) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}

/// <https://developer.apple.com/documentation/uikit/uialertcontroller>.
@MainActor open class UIAlertController: UIViewController {
    /// <https://developer.apple.com/documentation/uikit/uialertcontroller/style>.
    public enum Style: Int, Sendable {
        case actionSheet, alert
    }

    open var message: String?
    public let preferredStyle: UIAlertController.Style
    public private(set) var actions: [UIAlertAction] = []
    open var preferredAction: UIAlertAction?

    /// <https://developer.apple.com/documentation/uikit/uialertcontroller/init(title:message:preferredstyle:)>.
    public init(title: String?, message: String?, preferredStyle: UIAlertController.Style) {
        self.message = message
        self.preferredStyle = preferredStyle
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    public required init?(coder: NSCoder) {
        preferredStyle = .alert
        super.init(coder: coder)
    }

    /// <https://developer.apple.com/documentation/uikit/uialertcontroller/addaction(_:)>.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
    }

    public private(set) var textFields: [UITextField]?

    /// <https://developer.apple.com/documentation/uikit/uialertcontroller/addtextfield(configurationhandler:)>.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField()
        configurationHandler?(field)
        textFields = (textFields ?? []) + [field]
    }

    /// For tests: a tap on the button with this title, which dismisses the alert first.
    public func tap(_ title: String) {
        guard let action = actions.first(where: { $0.title == title }) else {
            preconditionFailure("no button \(title)")
        }
        dismiss(animated: true)
        action.handler?(action)
    }
}

/// <https://developer.apple.com/documentation/uikit/uitextfield>.
@MainActor open class UITextField: UIControl {
    open var text: String?
}
