// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// What the curl transport says about the version that a server spoke.
@Suite(.timeLimit(.minutes(5)))
struct CurlVersionTests {
    @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
    func metricsSayTheVersionOfTheAnswer(_ version: String) async throws {
        let server = try LoopbackServer { _ in
            .cut("\(version) 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let response = try await CurlTransport().send(.get(server.url("/")))
        #expect(try await response.data() == Data("ok".utf8))
        #expect(response.metrics?.httpVersion == version)
    }
}
#endif
