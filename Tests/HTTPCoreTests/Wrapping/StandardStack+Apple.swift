// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import HTTPCore

/// The stack under test, on the terminal that this platform does best with.
func standardStack(cookies: CookiePolicy = .private) -> any HTTPTransport {
    URLSessionTransport().standard(cookies: cookies)
}
#endif
