// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// One at a time: these move much.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResponseBodyTests {
    @Test(arguments: Subject.all, Reading.allCases)
    func bytesArriveWholeAndInOrder(_ subject: Subject, reading: Reading) async throws {
        let content = pattern(3_000_000)
        let chunked = Self.chunked(content)
        let server = try LoopbackServer { request in
            switch request.path {
            case "/length": .respond(200, body: content)
            case "/chunks": .respond(200, [("Transfer-Encoding", "chunked")], body: chunked)
            default:
                LoopbackServer.Answer(
                    [.text("HTTP/1.1 200 OK\r\n\r\n"), .send(content)], keepsAlive: false)
            }
        }
        let transport = subject.transport()
        for path in ["/length", "/chunks", "/close"] {
            guard
                case .answer(_, let body) = await transport.outcome(.get(server.url(path)), reading)
            else {
                Issue.record("no answer for \(path)")
                continue
            }
            #expect(body == content)
        }
    }

    private static func chunked(_ content: Data) -> Data {
        var all = Data()
        for start in stride(from: 0, to: content.count, by: 70_001) {
            let piece = content.subdata(in: start..<min(start + 70_001, content.count))
            all.append(Data("\(String(piece.count, radix: 16))\r\n".utf8))
            all.append(piece)
            all.append(Data("\r\n".utf8))
        }
        return all + Data("0\r\n\r\n".utf8)
    }

    /// The first bytes are there before the last are sent.
    @Test(arguments: Subject.all)
    func bytesComeAsTheyArrive(_ subject: Subject) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), .wait(gate), .text("two"),
            ])
        }
        let response = try await subject.transport().send(.get(server.url("/")))
        var text = ""
        for try await chunk in response.body {
            text += String(decoding: chunk, as: UTF8.self)
            if text == "one" { gate.open() }
        }
        #expect(text == "onetwo")
    }

    /// A reader that stops holds the server up, and loses nothing.
    @Test(arguments: Subject.all)
    func slowReaderHoldsTheServerUp(_ subject: Subject) async throws {
        let size = 64 << 20
        let content = pattern(size)
        let server = try LoopbackServer { _ in .respond(200, body: content) }
        let transport = subject.transport()
        let response = try await transport.send(.get(server.url("/")))
        var body = response.body.makeAsyncIterator()
        var received = try await body.next() ?? Data()
        try await subject.expect(.backPressure) {
            let isAllSent = await server.waitForBytesSent(size, timeout: 1)
            #expect(!isAllSent)
            #expect(server.bytesSent < size / 2)
        }
        while let chunk = try await body.next() { received += chunk }
        #expect(received == content)
        #expect(response.metrics?.bodyBytesReceived == Int64(size))
    }

    @Test(arguments: Subject.all)
    func limitOfACollectedBodyIsNamed(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .respond(200, body: pattern(100_000)) }
        let transport = subject.transport()
        for limit in [0, 1, 99_999] {
            let request = HTTPRequest.get(server.url("/")) { $0.options.collect = limit }
            let outcome = await transport.outcome(request)
            let error = try #require(outcome.error as? ResponseBodyError)
            #expect(outcome.failedInSend)
            #expect(error.kind == .tooLarge(limit: limit))
            #expect(error.description.contains("\(limit)"))
            #expect(error.status == 200)
            #expect(error.url == server.url("/"))
            let response = try await transport.send(.get(server.url("/")))
            await #expect(throws: ResponseBodyError.self) { try await response.data(upTo: limit) }
        }
        let exact = HTTPRequest.get(server.url("/")) { $0.options.collect = 100_000 }
        #expect(await transport.outcome(exact).body?.count == 100_000)
    }

    /// The rest of an answer that is too long is not waited for.
    @Test(arguments: Subject.all)
    func limitEndsTheTransfer(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n0123456789"), .hold,
            ])
        }
        let request = HTTPRequest.get(server.url("/")) { $0.options.collect = 5 }
        let error = await subject.transport().outcome(request).error as? ResponseBodyError
        #expect(error?.kind == .tooLarge(limit: 5))
        #expect(await server.waitForOpenConnections(0))
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func bodyIsReadOnce(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.get(server.url("/")) {
            $0.options.collect = reading == .collected ? 10 : nil
        }
        let response = try await subject.transport().send(request)
        #expect(try await response.data() == Data("ok".utf8))
        let again = await #expect(throws: ResponseBodyError.self) { try await response.data() }
        #expect(again?.kind == .alreadyRead)
        var iterator = response.body.makeAsyncIterator()
        await #expect(throws: ResponseBodyError.self) { _ = try await iterator.next() }
    }

    @Test(arguments: Subject.all)
    func droppingTheResponseEndsTheTransfer(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"), .hold,
            ])
        }
        let transport = subject.transport()
        do {
            let response = try await transport.send(.get(server.url("/")))
            #expect(response.status == 200)
        }
        #expect(await server.waitForOpenConnections(0))
        do {
            let response = try await transport.send(.get(server.url("/")))
            for try await _ in response.body { break }
        }
        #expect(await server.waitForOpenConnections(0))
        #expect(server.requests.count == 2)
    }
}
