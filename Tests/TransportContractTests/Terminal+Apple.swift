// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import HTTPCore

extension Terminal {
    static let all = [Terminal(name: "URLSession") { URLSessionTransport() }]
}
#endif
