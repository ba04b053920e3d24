// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import HTTPActor

/// The stack under test, on the terminal that this platform does best with.
func standardStack() -> any HTTPTransport {
    URLSessionTransport().standard()
}
#endif
