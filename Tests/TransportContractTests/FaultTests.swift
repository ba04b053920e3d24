// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a server or a network does wrong: the right error, in the right place, and all well afterwards.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    /// Plays a fault, then asks for something else over the same transport.
    private func outcome(
        _ fault: LoopbackServer.Answer, _ subject: Subject, _ reading: Reading,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let server = try LoopbackServer { $0.path == "/next" ? .text("next") : fault }
        let transport = subject.transport()
        let outcome = await transport.outcome(.get(server.url("/fault")), reading)
        let next = try await transport.text(server.url("/next"))
        #expect(next == "next", sourceLocation: sourceLocation)
        return outcome
    }

    private func expectLost(
        _ outcome: Outcome, inBody: Bool, _ code: URLError.Code = .networkConnectionLost,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.failedInBody == inBody, "\(outcome)", sourceLocation: sourceLocation)
        let error = outcome.urlError
        #expect(error?.code == code, "\(outcome)", sourceLocation: sourceLocation)
        #expect(error?.requestMayHaveArrived == true, sourceLocation: sourceLocation)
        #expect(error?.localizedDescription.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func refusedConnection(_ subject: Subject, reading: Reading) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try LoopbackServer.closedPort())/"))
        let transport = subject.transport()
        let outcome = await transport.outcome(
            .make(.post, url, .data(Data("a".utf8))), reading)
        let error = try #require(outcome.urlError)
        #expect(outcome.failedInSend)
        #expect(error.code == .cannotConnectToHost)
        #expect(!error.requestMayHaveArrived)
    }

    @Test(arguments: Subject.all)
    func unknownHost(_ subject: Subject) async throws {
        // RFC 6761, section 6.4: this name never resolves.
        let url = try #require(URL(string: "http://duet.invalid/"))
        let error = try #require(await subject.transport().outcome(.get(url)).urlError)
        #expect(error.code == .cannotFindHost)
        #expect(!error.requestMayHaveArrived)
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func resetInPlaceOfAnAnswer(_ subject: Subject, reading: Reading) async throws {
        let fault = LoopbackServer.Answer([.reset])
        expectLost(try await outcome(fault, subject, reading), inBody: false)
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func resetInTheBody(_ subject: Subject, reading: Reading) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        let gate = Gate()
        let fault = LoopbackServer.Answer([.text(head), .wait(gate), .reset])
        let server = try LoopbackServer { $0.path == "/next" ? .text("next") : fault }
        let transport = subject.transport()
        let task = Task { await transport.outcome(.get(server.url("/fault")), reading) }
        #expect(await server.waitForBytesSent(head.utf8.count))
        // A streamed head must have come before the reset may destroy it.
        #expect(try await transport.text(server.url("/next")) == "next")
        gate.open()
        let outcome = await task.value
        #expect(outcome.urlError?.code == .networkConnectionLost)
        #expect(outcome.urlError?.requestMayHaveArrived == true)
        #expect(try await transport.text(server.url("/next")) == "next")
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func closedWithoutAByte(_ subject: Subject, reading: Reading) async throws {
        let outcome = try await outcome(LoopbackServer.Answer([.close]), subject, reading)
        #expect(outcome.failedInSend)
        try await subject.expect(.errorCodes) {
            expectLost(outcome, inBody: false)
        }
    }

    @Test(arguments: Subject.all)
    func closedOnAccept(_ subject: Subject) async throws {
        let server = try LoopbackServer(onAccept: [[.close]]) { _ in .text("next") }
        let transport = subject.transport()
        let outcome = await transport.outcome(.get(server.url("/")))
        #expect(outcome.failedInSend)
        try await subject.expect(.errorCodes) {
            #expect(outcome.urlError?.code == .networkConnectionLost)
        }
        #expect(try await transport.text(server.url("/")) == "next")
    }

    /// O-26: libcurl takes a head without its blank line for a whole one.
    @Test(
        arguments: Subject.surviving(.cutHead),
        [
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n",
        ])
    func cutHead(_ subject: Subject, bytes: String) async throws {
        for reading in Reading.allCases {
            expectLost(try await outcome(.cut(bytes), subject, reading), inBody: false)
        }
    }

    /// O-21: six bytes of ten are no answer.
    @Test(arguments: Subject.all, Reading.allCases)
    func cutBody(_ subject: Subject, reading: Reading) async throws {
        let fault = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456"
        let outcome = try await outcome(.cut(fault), subject, reading)
        expectLost(outcome, inBody: reading == .streamed)
        #expect(outcome.error?.localizedDescription.contains("6 of 10") == true, "\(outcome)")
        guard case .bodyFailed(_, let status, let received) = outcome else { return }
        #expect(status == 200)
        #expect(received == Data("123456".utf8))
    }

    /// O-22: a chunked body ends with its last chunk and nowhere else.
    @Test(
        arguments: Subject.all,
        ["5\r\nhello\r\n", "5\r\nhel", "5\r\nhello\r\n0\r\n", "5", "5\r\nhello\r\n0"])
    func cutChunks(_ subject: Subject, bytes: String) async throws {
        let fault = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(bytes)"
        for reading in Reading.allCases {
            let outcome = try await outcome(.cut(fault), subject, reading)
            expectLost(outcome, inBody: reading == .streamed)
        }
    }

    @Test(
        arguments: Subject.all,
        ["xyz\r\nhello\r\n", "-5\r\nhello\r\n", "5\r\nhelloworld\r\n0\r\n\r\n"])
    func badChunks(_ subject: Subject, bytes: String) async throws {
        let fault = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(bytes)"
        for reading in Reading.allCases {
            let outcome = try await outcome(.cut(fault), subject, reading)
            try await subject.expect(.errorCodes) {
                expectLost(outcome, inBody: reading == .streamed, .badServerResponse)
            }
        }
    }

    @Test(
        arguments: Subject.all,
        ["SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n", "<html>hello</html>\r\n\r\n"])
    func noHTTP(_ subject: Subject, bytes: String) async throws {
        let outcome = try await outcome(.cut(bytes), subject, .collected)
        try await subject.expect(.errorCodes) {
            expectLost(outcome, inBody: false, .badServerResponse)
        }
    }

    @Test(
        arguments: Subject.all,
        ["-1", "abc", "1, 2", "3 4", "1\r\nContent-Length: 2", "3,", "", "9223372036854775808"])
    func badLength(_ subject: Subject, length: String) async throws {
        let fault = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc"
        let outcome = try await outcome(.cut(fault), subject, .collected)
        try await subject.expect(.badLength) {
            expectLost(outcome, inBody: false, .badServerResponse)
        }
    }

    @Test(arguments: Subject.surviving(.trailers), Reading.allCases)
    func trailersAreNoPartOfTheHead(_ subject: Subject, reading: Reading) async throws {
        let answer = """
            HTTP/1.1 200 OK\r
            X-A: 1\r
            Transfer-Encoding: chunked\r
            \r
            5\r
            hello\r
            0\r
            X-A: 2\r
            X-Check: abc\r
            \r

            """
        let outcome = try await outcome(.raw(answer), subject, reading)
        #expect(outcome.text == "hello")
        guard case .answer(let response, _) = outcome else { return }
        #expect(response.headers.values("X-A") == ["1"])
        #expect(response.headers["X-Check"] == nil)
    }

    /// O-27: the server's word, and not a broken pipe.
    @Test(arguments: Subject.all)
    func earlyRefusalOfAnUpload(_ subject: Subject) async throws {
        let size = 64 << 20
        let refusal = """
            HTTP/1.1 413 Content Too Large\r
            Connection: close\r
            Content-Type: application/json\r
            Content-Length: 15\r
            \r
            {"error":"big"}
            """
        let server = try LoopbackServer { request in .text(request.path) }
        let refusing = try LoopbackServer(script: [
            LoopbackServer.Answer(
                [.text(refusal), .halfClose, .drain(1)], readsBodyFirst: false, keepsAlive: false)
        ])
        let transport = subject.transport()
        let sent = Recorder<HTTPRequest.UploadProgress>()
        let request = HTTPRequest.make(.post, refusing.url("/"), .data(Data(count: size))) {
            $0.onUploadProgress = { sent.append($0) }
        }
        let outcome = await transport.outcome(request)
        #expect(outcome.status == 413, "\(outcome)")
        #expect(outcome.text == #"{"error":"big"}"#)
        #expect(refusing.bytesReceived < size)
        // What was not sent is not reported as sent.
        #expect(sent.values.allSatisfy { $0.bytesSent < Int64(size) })
        #expect(try await transport.text(server.url("/next")) == "/next")
    }
}
