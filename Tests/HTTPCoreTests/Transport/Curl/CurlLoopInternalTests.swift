// SPDX-License-Identifier: MIT

#if canImport(CCurl)
import Foundation
import TestSupport
import Testing

@testable import HTTPCore

struct CurlLoopInternalTests {
    private func answer(from server: LoopbackServer, in pool: CurlPool) async throws -> Int {
        var request = HTTPRequest(URLRequest(url: server.url("/")))
        request.options.collect = 1_024
        return try await CurlTransfer(request, in: pool).answer().status
    }

    /// After no time at all here, with the loop still there.
    @Test func connectionsThatNothingUsesAreClosed() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let pool = CurlPool(TLSSettings(), idleSeconds: 0)
        for count in 1...2 {
            #expect(try await answer(from: server, in: pool) == 200)
            #expect(await server.waitForOpenConnections(0))
            #expect(server.acceptCount == count)
        }
        withExtendedLifetime(pool) {}
    }

    @Test func connectionsWaitForTheNextUse() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let pool = CurlPool(TLSSettings())
        for _ in 1...2 { #expect(try await answer(from: server, in: pool) == 200) }
        #expect(server.acceptCount == 1)
        withExtendedLifetime(pool) {}
    }
}
#endif
