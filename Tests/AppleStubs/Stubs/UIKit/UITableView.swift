// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/uikit/uitableviewcontroller>.
@MainActor
open class UITableViewController: UIViewController, UITableViewDataSource,
    UITableViewDelegate
{
    /// <https://developer.apple.com/documentation/uikit/uitableviewcontroller/init(style:)>.
    public init(style: UITableView.Style) {
        super.init(nibName: nil, bundle: nil)
    }

    override public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override open func loadView() {
        let table = UITableView()
        table.dataSource = self
        table.delegate = self
        view = table
    }

    /// <https://developer.apple.com/documentation/uikit/uitableviewcontroller/tableview>.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tableView: UITableView! {
        view as? UITableView
    }

    /// <https://developer.apple.com/documentation/uikit/uitableviewcontroller/refreshcontrol>.
    open var refreshControl: UIRefreshControl? {
        get { tableView.refreshControl }
        set { tableView.refreshControl = newValue }
    }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

    open func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        UITableViewCell()
    }

    open func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}

    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

/// <https://developer.apple.com/documentation/uikit/uitableviewdatasource>.
@MainActor public protocol UITableViewDataSource: AnyObject {
    /// <https://developer.apple.com/documentation/uikit/uitableviewdatasource/tableview(_:numberofrowsinsection:)>.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int

    /// <https://developer.apple.com/documentation/uikit/uitableviewdatasource/tableview(_:cellforrowat:)>.
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell

    /// <https://developer.apple.com/documentation/uikit/uitableviewdatasource/tableview(_:commit:forrowat:)>.
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath)
}

/// <https://developer.apple.com/documentation/uikit/uitableviewdelegate>.
@MainActor public protocol UITableViewDelegate: AnyObject {
    /// <https://developer.apple.com/documentation/uikit/uitableviewdelegate/tableview(_:didselectrowat:)>.
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}

/// <https://developer.apple.com/documentation/uikit/uitableview>.
@MainActor open class UITableView: UIScrollView {
    /// <https://developer.apple.com/documentation/uikit/uitableview/style-swift.enum>.
    public enum Style: Int, Sendable {
        case plain, grouped, insetGrouped
    }

    open weak var dataSource: (any UITableViewDataSource)?
    open weak var delegate: (any UITableViewDelegate)?
    private var cells: [String: UITableViewCell.Type] = [:]

    /// <https://developer.apple.com/documentation/uikit/uitableview/reloaddata()>.
    open func reloadData() {
        let count = dataSource?.tableView(self, numberOfRowsInSection: 0) ?? 0
        shown = (0..<count).map { row in
            let cell = dataSource?.tableView(self, cellForRowAt: IndexPath(row: row, section: 0))
            return (cell?.contentConfiguration as? UIListContentConfiguration)?.text ?? ""
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uitableview/register(_:forcellreuseidentifier:)>.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        cells[identifier] = cellClass as? UITableViewCell.Type
    }

    /// <https://developer.apple.com/documentation/uikit/uitableview/dequeuereusablecell(withidentifier:for:)>.
    ///
    /// As UIKit does, it ends the process where nothing was registered.
    open func dequeueReusableCell(
        withIdentifier identifier: String, for indexPath: IndexPath
    ) -> UITableViewCell {
        guard cells[identifier] != nil else { preconditionFailure("no cell \(identifier)") }
        return UITableViewCell()
    }

    /// <https://developer.apple.com/documentation/uikit/uitableview/deselectrow(at:animated:)>.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}

    // MARK: For tests

    /// The texts of the rows since the last `reloadData()`.
    public private(set) var shown: [String] = []

    /// A tap on a row.
    public func tap(_ row: Int) {
        delegate?.tableView(self, didSelectRowAt: IndexPath(row: row, section: 0))
    }

    /// A swipe over a row, and a tap on Delete.
    public func swipe(_ row: Int) {
        dataSource?.tableView(self, commit: .delete, forRowAt: IndexPath(row: row, section: 0))
    }
}

/// <https://developer.apple.com/documentation/uikit/uitableviewcell>.
@MainActor open class UITableViewCell: UIView {
    /// <https://developer.apple.com/documentation/uikit/uitableviewcell/editingstyle-swift.enum>.
    public enum EditingStyle: Int, Sendable {
        case none, delete, insert
    }

    /// <https://developer.apple.com/documentation/uikit/uitableviewcell/contentconfiguration>: iOS 14.
    open var contentConfiguration: (any UIContentConfiguration)?

    /// <https://developer.apple.com/documentation/uikit/uitableviewcell/defaultcontentconfiguration()>: iOS 14.
    open func defaultContentConfiguration() -> UIListContentConfiguration {
        UIListContentConfiguration()
    }
}

/// <https://developer.apple.com/documentation/uikit/uicontentconfiguration>.
@MainActor public protocol UIContentConfiguration {}

/// <https://developer.apple.com/documentation/uikit/uilistcontentconfiguration>.
@MainActor public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
}

/// <https://developer.apple.com/documentation/foundation/indexpath>: what UIKit adds to it.
extension IndexPath {
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    public var row: Int { self[1] }
}
