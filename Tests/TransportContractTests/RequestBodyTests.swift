// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct RequestBodyTests {
    private static let content = pattern(300_000)
    private static let pieces = [
        content[..<1], content[1..<70_000], content[70_000..<70_000], content[70_000...],
    ]

    @Test(arguments: Subject.all)
    func dataArrivesWhole(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        // A slice, whose indices do not start at 0.
        for data in [Self.content, Self.content[100..<9_000], Data([0])] {
            let request = HTTPRequest.make(.post, server.url("/"), .data(data))
            #expect(await transport.outcome(request).text == "ok")
            #expect(server.requests.last?.body == data)
            #expect(server.requests.last?.values("Content-Length") == ["\(data.count)"])
        }
    }

    @Test(arguments: Subject.all)
    func streamOfKnownLengthIsNotChunked(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = RequestBody.stream(Chunks(Self.pieces), length: Int64(Self.content.count))
        let request = HTTPRequest.make(.put, server.url("/"), body)
        #expect(await subject.transport().outcome(request).text == "ok")
        let seen = try #require(server.requests.first)
        #expect(seen.values("Content-Length") == ["\(Self.content.count)"])
        #expect(seen.values("Transfer-Encoding").isEmpty)
        #expect(seen.body == Self.content)
    }

    @Test(arguments: Subject.all)
    func streamOfUnknownLengthIsChunked(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.make(.post, server.url("/"), .stream(Chunks(Self.pieces)))
        #expect(await subject.transport().outcome(request).text == "ok")
        let seen = try #require(server.requests.first)
        #expect(seen.body == Self.content)
        #expect(seen.bodyIsComplete)
        try await subject.expect(.chunkedUpload) {
            #expect(seen.values("Transfer-Encoding") == ["chunked"])
            #expect(seen.values("Content-Length").isEmpty)
        }
    }

    @Test(arguments: Subject.all)
    func emptyStreamIsAnEmptyBody(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        for length: Int64? in [nil, 0] {
            let body = RequestBody.stream(Chunks([Data]()), length: length)
            let outcome = await transport.outcome(.make(.post, server.url("/"), body))
            #expect(outcome.text == "ok")
        }
        #expect(server.requests.map(\.body) == [Data(), Data()])
        #expect(!server.requests.contains { !$0.bodyIsComplete })
        #expect(server.requests.last?.values("Content-Length") == ["0"])
    }

    @Test(arguments: Subject.all)
    func inputStreamIsMadeAnewForEachRequest(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        for length in [nil, Int64(Self.content.count)] {
            let body = RequestBody.stream({ InputStream(data: Self.content) }, length: length)
            for _ in 0..<2 {
                let outcome = await transport.outcome(.make(.post, server.url("/"), body))
                #expect(outcome.text == "ok")
                #expect(server.requests.last?.body == Self.content)
            }
        }
        #expect(server.requests.last?.values("Content-Length") == ["\(Self.content.count)"])
        #expect(server.requests.last?.values("Transfer-Encoding") == [])
    }

    /// A stream that is longer or shorter than it says never makes a whole request.
    @Test(arguments: Subject.all, [0, 1, 299_999, 300_001, 1_000_000] as [Int64])
    func streamOfTheWrongLengthFails(_ subject: Subject, length: Int64) async throws {
        try await expectFailure(subject, .stream(Chunks(Self.pieces), length: length), length)
        let input = RequestBody.stream({ InputStream(data: Self.content) }, length: length)
        try await expectFailure(subject, input, length)
    }

    private func expectFailure(
        _ subject: Subject, _ body: RequestBody, _ length: Int64
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let outcome = await transport.outcome(.make(.post, server.url("/"), body))
        let error = try #require(outcome.urlError)
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.localizedDescription.contains("\(length)"))
        // Of a body of length 0, no connection hears.
        if length == 0 { #expect(!error.requestMayHaveArrived) }
        #expect(server.requests.isEmpty)
        #expect(try await transport.text(server.url("/next")) == "ok")
    }

    @Test(arguments: Subject.all)
    func errorOfAStreamIsThrown(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        for length: Int64? in [nil, 600_000] {
            let body = RequestBody.stream(Chunks(Self.pieces, error: OwnError()), length: length)
            let outcome = await transport.outcome(.make(.post, server.url("/"), body))
            #expect(outcome.error as? OwnError == OwnError())
        }
        #expect(server.requests.isEmpty)
        #expect(try await transport.text(server.url("/next")) == "ok")
    }

    /// The server gets the first piece before the last one is made.
    @Test(arguments: Subject.all)
    func streamIsSentAsItIsMade(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let gate = Gate()
        let body = RequestBody.stream(Chunks([Data("one".utf8), Data("two".utf8)], gate: gate))
        let request = HTTPRequest.make(.post, server.url("/"), body)
        let task = Task { await transport.outcome(request) }
        // The head has over 100 bytes, "one" comes in a chunk after it.
        try await subject.expect(.chunkedUpload) {
            let hasStarted = await server.waitForBytes(100, timeout: 2)
            #expect(hasStarted)
        }
        #expect(server.requests.isEmpty)
        gate.open()
        #expect(await task.value.text == "ok")
        #expect(server.requests.first?.bodyText == "onetwo")
    }

    /// The idle limit is the server's: a body that takes its time to be made is no fault of it.
    @Test(arguments: Subject.all)
    func timeToMakeABodyIsNotTheServers(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let gate = Gate()
        let body = RequestBody.stream(Chunks([Data("one".utf8), Data("two".utf8)], gate: gate))
        let request = HTTPRequest.make(.post, server.url("/"), body) { $0.idleLimit = 2 }
        let task = Task { await transport.outcome(request) }
        // Waits for what does not come: the limit passes, and half as much again.
        #expect(await !server.waitForRequests(1, timeout: 3))
        gate.open()
        #expect(await task.value.text == "ok")
    }

    @Test(arguments: Subject.all)
    func bodyOfTheURLRequestIsSent(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var urlRequest = URLRequest(method: .post, url: server.url("/"))
        urlRequest.httpBody = Data("abc".utf8)
        let transport = subject.transport()
        #expect(try await transport.send(HTTPRequest(urlRequest)).status == 200)
        urlRequest.httpBody = nil
        urlRequest.httpBodyStream = InputStream(data: Data("def".utf8))
        #expect(try await transport.send(HTTPRequest(urlRequest)).status == 200)
        #expect(server.requests.map(\.bodyText) == ["abc", "def"])
    }
}
