// SPDX-License-Identifier: MIT

public import Observation

/// A view that reads ``snapshot`` or ``state`` is drawn again when they change, as with `@Observable`.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension StatefulEndpoint: Observable {}

/// Tells Observation of reads and changes, on systems that have it.
struct Tracker: Sendable {
    /// An `ObservationRegistrar`, whose type can't be named here on older systems.
    private let registrar: (any Sendable)?

    init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private var known: ObservationRegistrar? { registrar as? ObservationRegistrar }

    func noteRead<T>(of endpoint: StatefulEndpoint<T>) {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            known?.access(endpoint, keyPath: \.snapshot)
        }
    }

    /// Called after the change, and not around it: a reader on another thread, woken by the word that a
    /// change is coming, would read the old state and never be woken again.
    func noteChange<T>(of endpoint: StatefulEndpoint<T>) {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            known?.withMutation(of: endpoint, keyPath: \.snapshot) {}
        }
    }
}
