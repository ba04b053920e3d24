// SPDX-License-Identifier: MIT

#if canImport(CCurl)
/// The transport that this platform does best with.
typealias PlatformTransport = CurlTransport
#endif
