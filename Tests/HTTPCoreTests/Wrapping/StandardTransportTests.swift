// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct StandardTransportTests {
    @Test func theDefaultTransportFollowsRedirectsAndKeepsCookies() async throws {
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(302, [("Location", "/x"), ("Set-Cookie", "std=1; Path=/x")])
                : .text("ok")
        }
        let transport: any HTTPTransport = .default
        let response = try await transport.roundTrip(.get, server.url("/r"))
        #expect(response.status == 200)
        #expect(server.requests.last?.first("Cookie")?.contains("std=1") == true)
    }

    @Test func itsLayersMayWrapAnyTransport() async throws {
        let base = AnswersInTurn([
            AnswersInTurn.status(302, ["Location": "/x", "Set-Cookie": "a=1; Path=/"]),
            AnswersInTurn.status(503), AnswersInTurn.status(200, body: "ok"),
        ])
        let response = try await base.standard().roundTrip(
            .get,
            try #require(URL(string: "http://h.net/r"))
        ) {
            $0.attempts = 2
            $0.retryDelay = 0
        }
        #expect(response.status == 200)
        #expect(base.requests.map { $0.urlRequest.url?.path } == ["/r", "/x", "/x"])
        let cookies = base.requests.map { $0.urlRequest.value(forHTTPHeaderField: "Cookie") }
        #expect(cookies == [nil, "a=1", "a=1"])
    }

    @Test func anAnswerThatStreamsIsHandedOutWhileItComes() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), .wait(gate), .text("two"),
            ])
        }
        let response = try await standardStack().roundTrip(.get, server.url("/")) {
            $0.collect = nil
        }
        var text = ""
        for try await chunk in response.body {
            text += String(decoding: chunk, as: UTF8.self)
            gate.open()
        }
        #expect(text == "onetwo")
    }
}
