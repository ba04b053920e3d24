// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

/// What comes back when the server does nothing wrong.
@Suite(.timeLimit(.minutes(5)))
struct AnswerTests {
    @Test(arguments: Subject.all, [200, 201, 204, 304, 400, 404, 410, 500, 503, 599])
    func everyStatusIsAnAnswer(_ subject: Subject, status: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status, [("X-A", "1")], body: "body") }
        let transport = subject.transport()
        for reading in Reading.allCases {
            let outcome = await transport.outcome(.get(server.url("/a")), reading)
            #expect(outcome.status == status)
            #expect(outcome.text == (status == 204 || status == 304 ? "" : "body"))
        }
        #expect(server.requests.count == 2)
    }

    /// O-25: a HEAD answer's `Content-Length` speaks of a body that does not follow.
    @Test(arguments: Subject.all, Reading.allCases)
    func headAnswerEndsWithItsHead(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer(
            script: [.bodiless(200, [("Content-Length", "1192")]), .text("next")])
        let transport = subject.transport()
        let outcome = await transport.outcome(.make(.head, server.url("/h")), reading)
        #expect(outcome.text == "")
        guard case .answer(let response, _) = outcome else { return }
        #expect(response.status == 200)
        #expect(response.headers["Content-Length"] == "1192")
        #expect(server.requests.map(\.method) == ["HEAD"])
        #expect(try await transport.text(server.url("/n")) == "next")
    }

    /// O-24: interim answers are none.
    @Test(arguments: Subject.all, Reading.allCases)
    func interimAnswersLeaveNoTrace(_ subject: Subject, reading: Reading) async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-H: early\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\nX-H: final\r\nContent-Length: 2\r\n\r\nok"
        let server = try LoopbackServer(script: [.raw(early + early + final)])
        let outcome = await subject.transport().outcome(.get(server.url("/")), reading)
        guard case .answer(let response, let body) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.status == 200)
        #expect(body == Data("ok".utf8))
        #expect(response.headers.values("X-H") == ["final"])
        #expect(response.headers["Link"] == nil)
    }

    @Test(arguments: Subject.all)
    func fieldsKeepOrderAndRepeats(_ subject: Subject) async throws {
        let fields = [("X-B", "1"), ("x-a", "2"), ("X-B", "3"), ("Content-Length", "0")]
        let server = try LoopbackServer { _ in .respond(200, fields) }
        let response = try await subject.transport().send(.get(server.url("/")))
        #expect(response.headers["x-b"]?.replacingOccurrences(of: ", ", with: ",") == "1,3")
        #expect(response.headers["X-A"] == "2")
        try await subject.expect(.fieldOrderAndRepeats) {
            #expect(response.headers.map(\.name) == fields.map(\.0))
            #expect(response.headers.map(\.value) == fields.map(\.1))
        }
    }

    /// O-36, the transport's half: each cookie is a field of its own, commas in dates or not.
    @Test(arguments: Subject.all)
    func cookiesStayApart(_ subject: Subject) async throws {
        let cookies = [
            "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/",
            "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/",
        ]
        let server = try LoopbackServer { _ in .respond(200, cookies.map { ("Set-Cookie", $0) }) }
        let response = try await subject.transport().send(.get(server.url("/")))
        #expect(response.headers.values("Set-Cookie") == cookies)
    }

    @Test(arguments: Subject.all)
    func latin1HeaderIsReadAsLatin1(_ subject: Subject) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: caf\u{E9}\r\n\r\nok"
        let bytes = try #require(head.data(using: .isoLatin1))
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.send(bytes)]) }
        let transport = subject.transport()
        try await subject.expect(.latin1Header) {
            let response = try await transport.send(.get(server.url("/")))
            #expect(response.headers["X-Name"] == "caf\u{E9}")
        }
    }

    @Test(arguments: Subject.all)
    func reasonPhraseMayBeMissing(_ subject: Subject) async throws {
        let server = try LoopbackServer { request in
            .raw("HTTP/1.1 200\(request.path == "/a" ? " " : "")\r\nContent-Length: 2\r\n\r\nok")
        }
        let transport = subject.transport()
        #expect(try await transport.text(server.url("/a")) == "ok")
        try await subject.expect(.statusLineWithoutSecondSpace) {
            let text = try await transport.text(server.url("/b"))
            #expect(text == "ok")
        }
    }

    /// What RFC 9112 lets a server write, or asks a client to bear (sections 2.2 and 5).
    @Test(arguments: Subject.all, ["X-A:1\r\n", "X-A: 1\n", "X-A:\t1 \r\n"])
    func headMayBeLoose(_ subject: Subject, field: String) async throws {
        let end = field.hasSuffix("\r\n") ? "\r\n" : "\n"
        let head = "HTTP/1.1 200 OK\(end)Content-Length: 2\(end)\(field)\(end)ok"
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.text(head)]) }
        let transport = subject.transport()
        try await subject.expect(.looseHead) {
            let response = try await transport.send(.get(server.url("/")))
            #expect(response.headers["X-A"] == "1")
            let text = String(decoding: try await response.data(), as: UTF8.self)
            #expect(text == "ok")
        }
    }

    /// A folded line goes on with the one before; libcurl 7.88 took that from an answer long gone.
    @Test(arguments: Subject.all.map(\.name))
    func headThatStartsWithAFoldedLine(_ subject: String) async throws {
        await inTurn {
            await #expect(processExitsWith: .success) { [subject = subject as String] in
                let folded = "HTTP/1.1 200 OK\r\n X-A: 1\r\nContent-Length: 2\r\n\r\nok"
                let server = try LoopbackServer { request in
                    request.path == "/folded"
                        ? .raw(folded) : .respond(200, [("X-A", "0")], body: "well")
                }
                let transport = try Subject.named(subject).transport()
                for _ in 0..<20 {
                    #expect(try await transport.text(server.url("/well")) == "well")
                    let answer = await transport.outcome(.get(server.url("/folded")))
                    #expect(answer.text ?? "ok" == "ok")
                }
            }
        }
    }

    /// A challenge is an answer too: nobody here has a credential for it.
    @Test(
        arguments: Subject.all, ["Bearer", "Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\""])
    func challengeIsAnAnswer(_ subject: Subject, challenge: String) async throws {
        let fields = [("WWW-Authenticate", challenge)]
        let server = try LoopbackServer { _ in .respond(401, fields, body: "no") }
        let transport = subject.transport()
        let request = HTTPRequest.get(server.url("/")) {
            $0.idleLimit = subject.idleLimit(1, ifLacking: .basicChallenge)
        }
        let check = {
            let outcome = await transport.outcome(request)
            #expect(outcome.status == 401)
            #expect(outcome.text == "no")
        }
        if challenge.hasPrefix("Basic") {
            try await subject.expect(.basicChallenge) { await check() }
        } else {
            await check()
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Subject.all)
    func answerNamesItsURL(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = server.url("/a%2Fb/%C3%A9?q=1%2B2")
        let response = try await subject.transport().send(.get(url))
        #expect(response.url == url)
    }

    @Test(arguments: Subject.all)
    func redirectIsAnAnswerOfTheBareTransportAndFollowedByTheStack(
        _ subject: Subject
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(302, [("Location", "/t")], body: "moved") : .text("there")
        }
        let response = try await subject.transport().send(.get(server.url("/r")))
        #expect(response.status == (subject.isStandard ? 200 : 302))
        #expect(response.url == server.url(subject.isStandard ? "/t" : "/r"))
        #expect(
            String(decoding: try await response.data(), as: UTF8.self)
                == (subject.isStandard ? "there" : "moved"))
        #expect(server.requests.map(\.path) == (subject.isStandard ? ["/r", "/t"] : ["/r"]))
    }

    @Test(arguments: Subject.all)
    func metricsComeWithTheEndOfTheBody(_ subject: Subject) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"), .wait(gate),
                .text("56789"),
            ])
        }
        let transport = subject.transport()
        let response = try await transport.send(
            .make(.post, server.url("/"), .data(Data("abc".utf8))))
        #expect(response.metrics == nil)
        gate.open()
        #expect(try await response.data() == Data("0123456789".utf8))
        let metrics = try #require(response.metrics)
        #expect(metrics.bodyBytesReceived == 10)
        #expect(metrics.bodyBytesSent == 3)
        #expect(metrics.total > 0)
        #expect(metrics.attempts == 1)
        let collected = await transport.outcome(.get(server.url("/")), .collected)
        guard case .answer(let second, _) = collected else { return }
        #expect(second.metrics?.bodyBytesReceived == 10)
    }

    @Test(arguments: Subject.all)
    func bodyWithoutLengthEndsWithTheConnection(_ subject: Subject) async throws {
        let server = try LoopbackServer(
            script: [.raw("HTTP/1.1 200 OK\r\n\r\nall of it"), .text("next")])
        let transport = subject.transport()
        #expect(try await transport.text(server.url("/a")) == "all of it")
        #expect(try await transport.text(server.url("/b")) == "next")
        #expect(server.acceptCount == 2)
    }

    @Test(arguments: Subject.all)
    func connectionIsUsedAgain(_ subject: Subject) async throws {
        let server = try LoopbackServer { request in .text(request.path) }
        let transport = subject.transport()
        for number in 0..<10 {
            #expect(try await transport.text(server.url("/\(number)")) == "/\(number)")
        }
        #expect(server.acceptCount == 1)
    }
}
