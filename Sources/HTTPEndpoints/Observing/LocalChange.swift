// SPDX-License-Identifier: MIT

internal import Foundation

/// A change of a value ahead of the server, which can be taken back.
///
/// Keep it until the server has answered. When it is dropped, the change stays.
public final class LocalChange: Sendable {
    private let end: @Sendable (_ isKept: Bool) -> Void

    init(end: @escaping @Sendable (_ isKept: Bool) -> Void) {
        self.end = end
    }

    deinit {
        end(true)
    }

    /// Takes the change back and leaves the later ones in place.
    ///
    /// As ``StatefulEndpoint/update(_:)`` does, it cancels a load under way. Nothing happens the second time,
    /// nor when a newer value has been loaded since.
    public func rollBack() {
        end(false)
    }
}

extension StatefulEndpoint {
    /// Changes the value here, before the server knows of it, and tells the observers.
    ///
    /// A load under way would bring back the value from before the change, so it is cancelled. The next
    /// value that is loaded replaces the change.
    ///
    /// ```swift
    /// let change = todos.update { $0.removeAll { $0.id == id } }
    /// do {
    ///     try await TodosAPI.shared.delete(id: id).load()
    /// } catch {
    ///     change?.rollBack()
    /// }
    /// ```
    ///
    /// - Parameter change: May be called more than once.
    /// - Returns: The change, to take it back; nil where there is no value yet.
    @discardableResult
    public func update(_ change: @escaping @Sendable (inout T) -> Void) -> LocalChange? {
        let id = UUID()
        guard transact({ $0.change(id, change) }) else { return nil }
        return LocalChange { [weak self] isKept in
            self?.transact { isKept ? $0.keep(id) : $0.rollBack(id) }
        }
    }
}
