// SPDX-License-Identifier: MIT

internal import Foundation

/// A value that one thread at a time can touch, in one allocation with its lock.
///
/// `NSLock` takes four allocations on Linux, and a request needs several locks.
///
/// `@unchecked Sendable`: the value is read and written only inside `withLock`, under the mutex.
package struct Locked<Value>: @unchecked Sendable {
    private final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
        deinit {
            _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
        }
    }

    private let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { storage in
            _ = storage.withUnsafeMutablePointerToElements { pthread_mutex_init($0, nil) }
            return value
        }
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { value, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}

/// Replaces a value and returns the old one.
package func exchange<Value>(_ value: inout Value, _ new: Value) -> Value {
    defer { value = new }
    return value
}
