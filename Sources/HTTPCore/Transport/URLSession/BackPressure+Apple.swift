// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Foundation

/// A suspended task leaves its bytes in the socket, which slows the server down.
enum BackPressure {
    static func suspend(_ task: URLSessionTask) -> Bool {
        task.suspend()
        return true
    }

    static func resume(_ task: URLSessionTask) {
        task.resume()
    }
}
#endif
