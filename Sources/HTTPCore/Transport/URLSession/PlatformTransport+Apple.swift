// SPDX-License-Identifier: MIT

#if canImport(Darwin)
/// The transport that this platform does best with.
typealias PlatformTransport = URLSessionTransport
#endif
