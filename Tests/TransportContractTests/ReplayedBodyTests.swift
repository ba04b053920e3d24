// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// O-34 and O-40: a body of each kind is sent whole again, from its start, by the standard stack.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReplayedBodyTests {
    private typealias Answer = LoopbackServer.Answer

    enum Kind: String, CaseIterable, Sendable {
        case data, file, stream, streamOfUnknownLength, inputStream
    }

    private static let standard = Subject.all.filter(\.isStandard)
    private static let content = pattern(300_000)

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func body(_ kind: Kind) throws -> RequestBody {
        let content = Self.content
        let chunks = Chunks([content[..<1], content[1..<70_000], content[70_000...]])
        return switch kind {
        case .data: .data(content)
        case .file: .file(try folder.file("a.bin", content))
        case .stream: .stream(chunks, length: Int64(content.count))
        case .streamOfUnknownLength: .stream(chunks)
        case .inputStream:
            .stream({ InputStream(data: content) }, length: Int64(content.count))
        }
    }

    private func expectWhole(_ requests: [LoopbackServer.Request], _ method: String, count: Int) {
        #expect(requests.map(\.method) == Array(repeating: method, count: count))
        #expect(requests.map { $0.body == Self.content } == Array(repeating: true, count: count))
        #expect(requests.map(\.bodyIsComplete) == Array(repeating: true, count: count))
        #expect(requests.allSatisfy { $0.values("Content-Type") == ["text/plain"] })
    }

    @Test(arguments: standard, Kind.allCases)
    func redirectsRepeatIt(_ subject: Subject, kind: Kind) async throws {
        let other = try LoopbackServer { _ in .text("ok") }
        let location = other.url("/x").absoluteString
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(307, [("Location", "/s")]) : .respond(308, [("Location", location)])
        }
        let request = HTTPRequest.make(.post, server.url("/r"), try body(kind)) {
            $0.set("Content-Type", "text/plain")
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        expectWhole(server.requests, "POST", count: 2)
        expectWhole(other.requests, "POST", count: 1)
    }

    @Test(arguments: standard, Kind.allCases)
    func retriesRepeatIt(_ subject: Subject, kind: Kind) async throws {
        let server = try LoopbackServer(script: [
            .text("later", status: 503), .respond(429, [("Retry-After", "0")]), .text("ok"),
        ])
        let request = HTTPRequest.make(.put, server.url, try body(kind)) {
            $0.set("Content-Type", "text/plain")
            $0.options.attempts = 3
            $0.options.retryDelay = 0
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        expectWhole(server.requests, "PUT", count: 3)
    }

    /// The connection drops when a part of the body is there.
    @Test(arguments: standard, Kind.allCases)
    func lostConnectionsRepeatIt(_ subject: Subject, kind: Kind) async throws {
        let server = try LoopbackServer(script: [
            Answer([.readBytes(1_000), .reset], readsBodyFirst: false), .text("ok"),
        ])
        let request = HTTPRequest.make(.put, server.url, try body(kind)) {
            $0.set("Content-Type", "text/plain")
            $0.options.attempts = 2
            $0.options.retryDelay = 0
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        try #require(server.requests.count == 2)
        #expect(!server.requests[0].bodyIsComplete)
        expectWhole([server.requests[1]], "PUT", count: 1)
    }

    /// A file that has changed meanwhile is sent as it is then, with its own length.
    @Test(arguments: standard)
    func fileIsOpenedAnew(_ subject: Subject) async throws {
        let file = try folder.file("a.txt", Data("first".utf8))
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/r" else { return .text("ok") }
            return Answer([.wait(gate)] + Answer.respond(307, [("Location", "/x")]).steps)
        }
        let request = HTTPRequest.make(.post, server.url("/r"), .file(file))
        let transport = subject.transport()
        let task = Task { await transport.outcome(request) }
        #expect(await server.waitForRequests(1))
        try Data("second, longer".utf8).write(to: file)
        gate.open()
        #expect(await task.value.text == "ok")
        #expect(server.requests.map(\.bodyText) == ["first", "second, longer"])
    }

    /// What can be read once is an error the second time, and never an empty body.
    @Test(arguments: standard, [307, 503])
    func inputStreamIsNotSentTwice(_ subject: Subject, status: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status, [("Location", "/x")]) }
        var urlRequest = URLRequest(method: .put, url: server.url)
        urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        var request = HTTPRequest(urlRequest)
        request.options.attempts = 2
        request.options.retryDelay = 0
        let outcome = await subject.transport().outcome(request)
        #expect(outcome.urlError?.code == .requestBodyStreamExhausted, "\(outcome)")
        #expect(server.requests.filter(\.bodyIsComplete).map(\.bodyText) == ["once"])
    }

    /// Over hops and attempts too, progress never falls.
    @Test(arguments: standard, Kind.allCases)
    func progressRisesOverAllThatIsSent(_ subject: Subject, kind: Kind) async throws {
        let server = try LoopbackServer(script: [
            .respond(307, [("Location", "/x")]), .text("later", status: 503), .text("ok"),
        ])
        let progress = Recorder<Int64>()
        let request = HTTPRequest.make(.put, server.url, try body(kind)) {
            $0.options.attempts = 2
            $0.options.retryDelay = 0
            $0.onUploadProgress = { progress.append($0.bytesSent) }
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        #expect(server.requests.count == 3)
        #expect(progress.values == progress.values.sorted())
        #expect(Set(progress.values).count == progress.values.count)
        #expect(progress.values.last == Int64(Self.content.count))
    }
}
