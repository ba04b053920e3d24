// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

/// The rules that both platforms get wrong, over each terminal; `RedirectTransportTests` has the rest.
@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    private static let stacks = Subject.all.filter(\.isStandard)

    private static let credentials = [
        "Authorization": "Bearer t", "Cookie": "own=1", "Proxy-Authorization": "Basic x",
        "X-Api-Key": "k", "X-House": "h",
    ]

    private func post(_ url: URL) -> HTTPRequest {
        .make(.post, url, .data(Data("hello".utf8))) { request in
            request.set("Content-Type", "text/plain")
            for (name, value) in Self.credentials { request.set(name, value) }
            request.options.secretHeaders = ["X-House"]
        }
    }

    private func server(_ status: Int, to location: String) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/r" ? .respond(status, [("Location", location)]) : .text("ok")
        }
    }

    // O-33
    @Test(arguments: stacks, [301, 302, 303])
    func aPostThatBecomesGetDropsItsBody(_ subject: Subject, status: Int) async throws {
        let server = try server(status, to: "/x")
        let outcome = await subject.transport().outcome(post(server.url("/r")))
        #expect(outcome.text == "ok")
        try #require(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests[0].bodyText == "hello")
        #expect(server.requests[1].body.isEmpty)
        let names = server.requests[1].fields.map { $0.name.lowercased() }
        #expect(!names.contains { $0.hasPrefix("content-") || $0 == "transfer-encoding" })
    }

    // O-34
    @Test(arguments: stacks, [307, 308])
    func aPostThatIsRepeatedKeepsItsBody(_ subject: Subject, status: Int) async throws {
        let server = try server(status, to: "/x")
        let outcome = await subject.transport().outcome(post(server.url("/r")))
        #expect(outcome.text == "ok")
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map(\.bodyText) == ["hello", "hello"])
        #expect(
            server.requests.map { $0.values("Content-Type") } == [["text/plain"], ["text/plain"]])
    }

    // O-35, in both of its runs
    @Test(arguments: stacks, [false, true])
    func credentialsStayWithinTheOrigin(_ subject: Subject, leavesOrigin: Bool) async throws {
        let other = try LoopbackServer { _ in .text("ok") }
        let server = try server(302, to: leavesOrigin ? other.url("/x").absoluteString : "/x")
        let outcome = await subject.transport().outcome(post(server.url("/r")))
        #expect(outcome.text == "ok")
        let (first, second) = (server.requests[0], (leavesOrigin ? other : server).requests.last)
        for (name, value) in Self.credentials {
            #expect(first.values(name) == [value])
            #expect(second?.values(name) == (leavesOrigin ? [] : [value]))
        }
    }

    // O-36
    @Test(arguments: stacks) func cookiesOfAHopGoWithTheNext(_ subject: Subject) async throws {
        let cookies = ["a", "b"].map {
            ("Set-Cookie", "\($0)=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/")
        }
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(303, [("Location", "/x")] + cookies) : .text("ok")
        }
        let outcome = await subject.transport().outcome(.get(server.url("/r")))
        #expect(outcome.text == "ok")
        #expect(server.requests.map { $0.values("Cookie") } == [[], ["a=1; b=1"]])
    }
}
