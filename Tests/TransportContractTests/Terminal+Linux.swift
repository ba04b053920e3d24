// SPDX-License-Identifier: MIT

#if os(Linux)
import HTTPCore

extension Terminal {
    static let all = [
        Terminal(name: "curl") { CurlTransport() },
        Terminal(name: "URLSession") { URLSessionTransport() },
    ]
}
#endif
