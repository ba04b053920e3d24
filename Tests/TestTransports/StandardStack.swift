// SPDX-License-Identifier: MIT

#if canImport(Glibc) || canImport(Musl)
public import HTTPCore

/// The stack under test, on the terminal that this platform does best with.
public func standardStack(cookies: CookiePolicy = .private) -> any HTTPTransport {
    CurlTransport().standard(cookies: cookies)
}

/// The stack on each terminal of this platform, by name.
public let standardStacks: [String: @Sendable () -> any HTTPTransport] = [
    "curl": { CurlTransport().standard() }, "URLSession": { URLSessionTransport().standard() },
]
#endif
