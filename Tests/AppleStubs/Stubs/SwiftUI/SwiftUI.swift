// SPDX-License-Identifier: MIT

public import Foundation
public import UIKit

/// <https://developer.apple.com/documentation/swiftui/view>.
///
/// Nothing is drawn here: a stub's modifiers return the view, and what they are given is dropped.
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("a view of SwiftUI's own has no body") }
}

/// A view of SwiftUI's own, which has no body.
@MainActor @preconcurrency public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("a view of SwiftUI's own has no body") }
}

/// <https://developer.apple.com/documentation/swiftui/viewbuilder>.
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

/// <https://developer.apple.com/documentation/swiftui/tupleview>.
public struct TupleView<T>: PrimitiveView {
    nonisolated init(_ value: T) {}
}

/// <https://developer.apple.com/documentation/swift/optional>: a view where its value is one.
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("a view of SwiftUI's own has no body") }
}

/// <https://developer.apple.com/documentation/swiftui/text>.
public struct Text: PrimitiveView {
    /// <https://developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4>.
    public init<S: StringProtocol>(_ content: S) {}
}

/// <https://developer.apple.com/documentation/swiftui/progressview>: iOS 14.
public struct ProgressView: PrimitiveView {
    public init() {}
}

/// <https://developer.apple.com/documentation/swiftui/button>.
public struct Button: PrimitiveView {
    /// <https://developer.apple.com/documentation/swiftui/button/init(_:action:)-1asy>.
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

/// <https://developer.apple.com/documentation/swiftui/list>.
public struct List<Content: View>: PrimitiveView {
    /// <https://developer.apple.com/documentation/swiftui/list/init(content:)>.
    public init(@ViewBuilder content: () -> Content) {
        _ = content()
    }
}

/// <https://developer.apple.com/documentation/swiftui/foreach>.
public struct ForEach<Data: RandomAccessCollection, Content: View>: PrimitiveView {
    /// <https://developer.apple.com/documentation/swiftui/foreach/init(_:content:)-5kqkl>.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable {}
}

/// <https://developer.apple.com/documentation/swiftui/navigationstack>: iOS 16.
public struct NavigationStack<Root: View>: PrimitiveView {
    /// <https://developer.apple.com/documentation/swiftui/navigationstack/init(root:)>.
    public init(@ViewBuilder root: () -> Root) {
        _ = root()
    }
}

extension View {
    /// <https://developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)>: iOS 15.
    public func overlay<V: View>(@ViewBuilder content: () -> V) -> some View {
        _ = content()
        return self
    }

    /// <https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:)-avgj>: iOS 14.
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }

    /// <https://developer.apple.com/documentation/swiftui/view/refreshable(action:)>: iOS 15.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }

    /// <https://developer.apple.com/documentation/swiftui/view/task(priority:_:)>: iOS 15.
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
}

/// <https://developer.apple.com/documentation/swiftui/uihostingcontroller>.
@MainActor open class UIHostingController<Content: View>: UIViewController {
    /// <https://developer.apple.com/documentation/swiftui/uihostingcontroller/init(rootview:)>.
    public init(rootView: Content) {
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
