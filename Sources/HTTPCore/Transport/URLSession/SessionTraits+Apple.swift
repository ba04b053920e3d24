// SPDX-License-Identifier: MIT

#if canImport(Darwin)
/// How URLSession behaves on Apple's platforms.
enum SessionTraits {
    /// A suspended task leaves its bytes in the socket, which slows the server down.
    static let slowsBySuspending = true
    /// A file is read while it is sent, and again where a connection drops.
    static let takesFiles = true
}

/// The transport that this platform does best with.
typealias PlatformTransport = URLSessionTransport
#endif
