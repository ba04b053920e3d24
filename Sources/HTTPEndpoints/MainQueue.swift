// SPDX-License-Identifier: MIT

internal import Foundation

/// Work that has to happen on the main actor, for a caller that can't await.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let isMarked: Bool = {
        DispatchQueue.main.setSpecific(key: key, value: true)
        return true
    }()

    private static var isHere: Bool {
        isMarked && DispatchQueue.getSpecific(key: key) == true
    }

    /// Runs work on the main actor: at once where that is here, else as soon as it is free.
    static func run(_ work: @escaping @MainActor () -> Void) {
        if isHere { return MainActor.assumeIsolated { work() } }
        DispatchQueue.main.async { work() }
    }

    /// Runs work on the main actor and waits for it, from any thread.
    ///
    /// Asks the queue and not the thread: under an async `main` on Linux, the main queue has others.
    static func sync<Value>(_ work: @Sendable (MainActor) throws -> Value) rethrows -> Value {
        if isHere { return try work(MainActor.shared) }
        return try DispatchQueue.main.sync { try work(MainActor.shared) }
    }
}
