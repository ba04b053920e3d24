// SPDX-License-Identifier: MIT

#if canImport(Glibc) || canImport(Musl)
import HTTPCore

/// The stack under test, on the terminal that this platform does best with.
func standardStack(cookies: CookiePolicy = .private) -> any HTTPTransport {
    CurlTransport().standard(cookies: cookies)
}
#endif
