// SPDX-License-Identifier: MIT

#if os(tvOS)
internal import UIKit

/// tvOS has no refresh control.
@MainActor enum RefreshControl {
    static func end(in controller: UIViewController) -> (() -> Void)? { nil }
}
#endif
