// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an earlier exchange on a connection must not do to a later one.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionReuseTests {
    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    /// Bytes after an answer are no part of the next one.
    @Test(arguments: Subject.all, [evil, "x", "\r\n", "HTTP/1.1 200 OK\r\n"])
    func excessBytesAreNobodysAnswer(_ subject: Subject, excess: String) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\(excess)"
        let server = try LoopbackServer { $0.path == "/first" ? .raw(answer) : .text($0.path) }
        let transport = subject.transport()
        for number in 0..<5 {
            for reading in Reading.allCases {
                let first = await transport.outcome(.get(server.url("/first")), reading)
                #expect(first.text == "ok")
                let next = await transport.outcome(.get(server.url("/\(number)")), reading)
                #expect(next.text == "/\(number)", "\(next)")
            }
        }
    }

    /// The same when they come late, while nobody uses the connection.
    @Test(arguments: Subject.all, [evil, "x"])
    func lateExcessBytesAreNobodysAnswer(_ subject: Subject, excess: String) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/first"
                ? LoopbackServer.Answer([.text(answer), .wait(gate), .text(excess)])
                : .text(request.path)
        }
        let transport = subject.transport()
        try await subject.expect(.lateExcessBytes) {
            let first = try await transport.text(server.url("/first"))
            #expect(first == "ok")
            gate.open()
            let isSent = await server.waitForBytesSent(answer.utf8.count + excess.utf8.count)
            #expect(isSent)
            let next = try await transport.text(server.url("/next"))
            #expect(next == "/next")
        }
    }

    /// What comes over a new connection before its request is no reason to connect again and again.
    @Test(arguments: Subject.all, ["", "SSH-2.0-banner\r\n"])
    func serverThatSpeaksFirstIsAskedOnce(_ subject: Subject, words: String) async throws {
        let first: [LoopbackServer.Step] = words.isEmpty ? [.close] : [.text(words)]
        let server = try LoopbackServer(onAccept: Array(repeating: first, count: 1_000)) { _ in
            LoopbackServer.Answer([.close])
        }
        let transport = subject.transport()
        for _ in 0..<3 {
            let outcome = await transport.outcome(.get(server.url("/")) { $0.idleLimit = 3 })
            #expect(outcome.urlError != nil)
        }
        // libcurl may try a second time where the first connection was gone before it was used.
        #expect(server.acceptCount <= 6)
    }

    /// O-41: a POST that the server has read is never sent a second time.
    @Test(arguments: Subject.all, [Data("charge=1".utf8), Data()])
    func postOnADroppedConnectionIsSentOnce(_ subject: Subject, body: Data) async throws {
        let server = try LoopbackServer { request in
            request.path == "/drop" ? LoopbackServer.Answer([.close]) : .text("ok")
        }
        let transport = subject.transport()
        for kind in [RequestBody.data(body), .stream(Chunks([body]), length: Int64(body.count))] {
            #expect(try await transport.text(server.url("/a")) == "ok")
            let post = HTTPRequest.make(.post, server.url("/drop"), kind) {
                $0.idleLimit = subject.idleLimit(3, ifLacking: .errorCodes)
            }
            let outcome = await transport.outcome(post)
            let error = try #require(outcome.urlError)
            #expect(error.requestMayHaveArrived)
            try await subject.expect(.errorCodes) {
                #expect(error.code == .networkConnectionLost)
            }
        }
        let check = { #expect(server.requests.filter { $0.path == "/drop" }.count == 2) }
        if body.isEmpty {
            try await subject.expect(.emptyPostIsSentOnce) { check() }
        } else {
            check()
        }
        #expect(try await transport.text(server.url("/b")) == "ok")
    }

    /// O-41: nor is its head, when the connection goes before the body has begun.
    @Test(
        arguments: Subject.all.filter { Exceptions.entry($0.terminal, .chunkedUpload) == nil },
        [(HTTPMethod.post, LoopbackServer.Step.reset), (.post, .close), (.patch, .reset)])
    func headOfAPostIsSentOnce(
        _ subject: Subject, way: (method: HTTPMethod, ending: LoopbackServer.Step)
    ) async throws {
        let gate = Gate()
        let drop = LoopbackServer.Answer([way.ending], readsBodyFirst: false, keepsAlive: false)
        let server = try LoopbackServer(answersEarly: { $0 == "/drop" }) { request in
            guard request.path == "/drop" else { return .text("ok") }
            gate.open()
            return drop
        }
        let transport = subject.transport()
        #expect(try await transport.text(server.url("/a")) == "ok")
        let body = RequestBody.stream(Chunks([pattern(100_000)], gate: gate), length: 100_000)
        let outcome = await transport.outcome(.make(way.method, server.url("/drop"), body))
        #expect(outcome.urlError?.code == .networkConnectionLost, "\(outcome)")
        #expect(outcome.urlError?.requestMayHaveArrived == true)
        #expect(server.requests.count == 2)
        #expect(try await transport.text(server.url("/b")) == "ok")
    }

    /// O-41, the other half: a GET may be repeated, which shows in nothing but the record.
    @Test(arguments: Subject.all)
    func getOnADroppedConnectionIsAnsweredOrFails(_ subject: Subject) async throws {
        let server = try LoopbackServer { request in
            request.path == "/drop" && request.connection == 0
                ? LoopbackServer.Answer([.close]) : .text("ok")
        }
        let transport = subject.transport()
        #expect(try await transport.text(server.url("/a")) == "ok")
        let outcome = await transport.outcome(.get(server.url("/drop")))
        #expect(outcome.text == "ok" || outcome.urlError != nil)
        #expect(server.requests.filter { $0.path == "/drop" }.count <= 2)
        #expect(try await transport.text(server.url("/b")) == "ok")
    }

    /// O-40: what may be sent twice is, with its body from the start.
    ///
    /// Over curl alone: Foundation's own libcurl can't start a body again.
    @Test(arguments: Subject.all.filter { $0.terminal.name == "curl" })
    func putOnADroppedConnectionIsRepeatedWhole(_ subject: Subject) async throws {
        let body = pattern(300_000)
        for kind in [
            RequestBody.data(body), .stream(Chunks([body]), length: Int64(body.count)),
            .stream(Chunks([body])),
        ] {
            let server = try LoopbackServer { request in
                request.path == "/drop" && request.connection == 0
                    ? LoopbackServer.Answer([.close]) : .text("ok")
            }
            let transport = subject.transport()
            #expect(try await transport.text(server.url("/a")) == "ok")
            let outcome = await transport.outcome(.make(.put, server.url("/drop"), kind))
            #expect(outcome.text == "ok", "\(outcome)")
            #expect(server.requests.dropFirst().map(\.body) == [body, body])
        }
    }

    /// A server may close an idle connection at any moment.
    @Test(arguments: Subject.all)
    func idleConnectionThatClosesHarmsNobody(_ subject: Subject) async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.text(ok), .close]) }
        let transport = subject.transport()
        for number in 1...30 {
            let get = await transport.outcome(.get(server.url("/g\(number)")))
            #expect(get.text == "ok")
            let body = RequestBody.data(Data("\(number)".utf8))
            let request = HTTPRequest.make(.post, server.url("/p\(number)"), body) {
                $0.idleLimit = subject.idleLimit(3, ifLacking: .postOnAClosingConnection)
            }
            let post = await transport.outcome(request)
            try await subject.expect(.postOnAClosingConnection) {
                #expect(post.text == "ok" || post.urlError?.code == .networkConnectionLost)
            }
            if post.urlError?.code == .timedOut { break }
            let seen = server.requests.filter { $0.path == "/p\(number)" }
            #expect(seen.count <= 1)
            #expect(post.text == nil || seen.map(\.bodyText) == ["\(number)"])
        }
    }

    /// A body that was dropped half way is not read by the next request.
    @Test(arguments: Subject.all)
    func restOfADroppedBodyIsNobodysAnswer(_ subject: Subject) async throws {
        let server = try LoopbackServer { request in
            request.path == "/big"
                ? .respond(200, body: pattern(1 << 20)) : .text(request.path)
        }
        let transport = subject.transport()
        for number in 0..<5 {
            _ = try await transport.send(.get(server.url("/big")))
            #expect(try await transport.text(server.url("/\(number)")) == "/\(number)")
        }
    }
}
