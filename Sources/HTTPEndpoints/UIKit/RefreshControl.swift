// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
internal import UIKit

@MainActor enum RefreshControl {
    /// Ends the refreshing that the user has begun, on the controller's own scroll view or one right in its
    /// view; nil where there is none.
    static func end(in controller: UIViewController) -> (() -> Void)? {
        guard let view = controller.viewIfLoaded else { return nil }
        return ([view] + view.subviews).lazy
            .compactMap { ($0 as? UIScrollView)?.refreshControl }
            .first { $0.isRefreshing }?.endRefreshing
    }
}
#endif
