// SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import HTTPCore

/// The stack under test, on the terminal that this platform does best with.
public func standardStack(cookies: CookiePolicy = .private) -> any HTTPTransport {
    URLSessionTransport().standard(cookies: cookies)
}

/// The stack on each terminal of this platform, by name.
public let standardStacks: [String: @Sendable () -> any HTTPTransport] = [
    "URLSession": { URLSessionTransport().standard() }
]
#endif
