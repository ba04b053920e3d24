// SPDX-License-Identifier: MIT

#if canImport(Glibc) || canImport(Musl)
import HTTPActor

/// The stack under test, on the terminal that this platform does best with.
func standardStack() -> any HTTPTransport {
    CurlTransport().standard()
}

/// The stack on each terminal of this platform, by name.
let standardStacks: [String: @Sendable () -> any HTTPTransport] = [
    "curl": { CurlTransport().standard() }, "URLSession": { URLSessionTransport().standard() },
]
#endif
