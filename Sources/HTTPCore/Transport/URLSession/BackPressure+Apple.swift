// SPDX-License-Identifier: MIT

#if canImport(Darwin)
/// A suspended task leaves its bytes in the socket, which slows the server down.
enum BackPressure {
    static let bySuspending = true
}
#endif
