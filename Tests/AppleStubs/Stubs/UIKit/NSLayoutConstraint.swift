// SPDX-License-Identifier: MIT

/// <https://developer.apple.com/documentation/uikit/uilayoutguide>.
@MainActor open class UILayoutGuide {
    public init() {}

    public let leadingAnchor = NSLayoutXAxisAnchor()
    public let centerXAnchor = NSLayoutXAxisAnchor()
    public let topAnchor = NSLayoutYAxisAnchor()
    public let centerYAnchor = NSLayoutYAxisAnchor()
}

/// <https://developer.apple.com/documentation/uikit/nslayoutanchor>.
@MainActor open class NSLayoutAnchor<AnchorType: AnyObject> {
    /// <https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(equalto:)>.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        NSLayoutConstraint(self, .equal, anchor)
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(greaterthanorequalto:)>.
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>
    ) -> NSLayoutConstraint {
        NSLayoutConstraint(self, .greaterThanOrEqual, anchor)
    }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutxaxisanchor>.
@MainActor open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// <https://developer.apple.com/documentation/uikit/nslayoutyaxisanchor>.
@MainActor open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// <https://developer.apple.com/documentation/uikit/uilayoutpriority>.
public struct UILayoutPriority: Hashable, RawRepresentable, Sendable {
    public var rawValue: Float

    public init(_ rawValue: Float) {
        self.rawValue = rawValue
    }

    public init(rawValue: Float) {
        self.rawValue = rawValue
    }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutconstraint>.
@MainActor open class NSLayoutConstraint {
    /// <https://developer.apple.com/documentation/uikit/nslayoutconstraint/relation-swift.enum>.
    public enum Relation: Int, Sendable {
        case lessThanOrEqual = -1
        case equal = 0
        case greaterThanOrEqual = 1
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutconstraint/axis>.
    public enum Axis: Int, Sendable {
        case horizontal, vertical
    }

    public let relation: Relation
    open var priority = UILayoutPriority(1000)

    init(_ first: AnyObject, _ relation: Relation, _ second: AnyObject) {
        self.first = first
        self.relation = relation
        self.second = second
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutconstraint/activate(_:)>.
    open class func activate(_ constraints: [NSLayoutConstraint]) {
        active += constraints
    }

    // MARK: For tests

    public static var active: [NSLayoutConstraint] = []
    public let first: AnyObject
    public let second: AnyObject
}
