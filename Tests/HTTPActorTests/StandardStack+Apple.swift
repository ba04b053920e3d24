// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import HTTPActor

/// The stack under test, on the terminal that this platform does best with.
func standardStack() -> any HTTPTransport {
    URLSessionTransport().standard()
}

/// The stack on each terminal of this platform, by name.
let standardStacks: [String: @Sendable () -> any HTTPTransport] = [
    "URLSession": { URLSessionTransport().standard() }
]
#endif
