// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CookieTransportTests {
    // O-36
    @Test func twoSetCookieFieldsWithCommasInTheirDatesAreTwoCookies() async throws {
        let server = try LoopbackServer { _ in
            .respond(
                200,
                [
                    ("Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/"),
                    ("Set-Cookie", "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/"),
                ]
            )
        }
        let stack = standardStack()
        _ = try await stack.roundTrip(.get, server.url("/"))
        _ = try await stack.roundTrip(.get, server.url("/"))
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["a=1; b=2"]])
    }

    /// A server that sets a cookie in each answer.
    private func settingServer() throws -> LoopbackServer {
        try LoopbackServer { request in
            .respond(200, [("Set-Cookie", "jar=\(request.path.dropFirst()); Path=/")])
        }
    }

    @Test func anExplicitCookieFieldWins() async throws {
        let server = try settingServer()
        let stack = standardStack()
        _ = try await stack.roundTrip(.get, server.url("/1"))
        _ = try await stack.roundTrip(.get, server.url("/2"), ["cookie": "own=x"])
        _ = try await stack.roundTrip(.get, server.url("/3"))
        // What came with the second answer is kept all the same.
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["own=x"], ["jar=2"]])
    }

    @Test func offSendsAndKeepsNone() async throws {
        let server = try settingServer()
        let stack = standardStack(cookies: .off)
        _ = try await stack.roundTrip(.get, server.url("/1"))
        _ = try await stack.roundTrip(.get, server.url("/2"))
        _ = try await stack.roundTrip(.get, server.url("/3"), ["Cookie": "own=x"])
        #expect(server.requests.map { $0.values("Cookie") } == [[], [], ["own=x"]])
    }

    @Test func privateCookiesAreOneStacksOwn() async throws {
        let server = try settingServer()
        let (one, other) = (standardStack(), standardStack())
        _ = try await one.roundTrip(.get, server.url("/1"))
        _ = try await other.roundTrip(.get, server.url("/2"))
        _ = try await one.roundTrip(.get, server.url("/3"))
        #expect(server.requests.map { $0.values("Cookie") } == [[], [], ["jar=1"]])
    }

    @Test func aCookieOfARedirectIsSentOnTheNextHop() async throws {
        let server = try LoopbackServer { request in
            request.path == "/login"
                ? .respond(303, [("Location", "/home"), ("Set-Cookie", "sid=7; Path=/")])
                : .text("ok")
        }
        _ = try await standardStack().roundTrip(
            .post,
            server.url("/login"),
            body: .data(Data("pw".utf8))
        )
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["sid=7"]])
    }

    // RFC 6265 has no ports: the host is the same. The caller's own field stays behind (O-35).
    @Test func afterARedirectToAnotherOriginTheJarSpeaksForTheCaller() async throws {
        let other = try LoopbackServer { _ in .text("ok") }
        let location = other.url("/x").absoluteString
        let server = try LoopbackServer { _ in
            .respond(302, [("Location", location), ("Set-Cookie", "jar=1; Path=/")])
        }
        _ = try await standardStack().roundTrip(.get, server.url("/r"), ["Cookie": "own=x"])
        #expect(other.requests.map { $0.values("Cookie") } == [["jar=1"]])
    }

    @Test func aCookieOfAnErrorAnswerIsKept() async throws {
        let server = try LoopbackServer { _ in .respond(404, [("Set-Cookie", "a=1; Path=/")]) }
        let stack = standardStack()
        _ = try await stack.roundTrip(.get, server.url("/"))
        _ = try await stack.roundTrip(.get, server.url("/"))
        #expect(server.requests.last?.values("Cookie") == ["a=1"])
    }

    @Test func aSecureCookieThatCameOverHTTPIsNotKept() async throws {
        let server = try LoopbackServer { _ in .respond(200, [("Set-Cookie", "a=1; Secure")]) }
        let stack = standardStack()
        _ = try await stack.roundTrip(.get, server.url("/"))
        _ = try await stack.roundTrip(.get, server.url("/"))
        #expect(server.requests.last?.values("Cookie") == [])
    }
}
