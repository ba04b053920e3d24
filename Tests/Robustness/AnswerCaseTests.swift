// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

/// Faults that users of other clients reported, of what is answered: each in both styles over both transports,
/// but for those that end the process within Foundation.
///
/// Docs/Reliability.md lists all of them, and which tests look closer.
@Suite(.timeLimit(.minutes(5)))
struct AnswerCaseTests {
    private struct Value: Decodable, Sendable, Equatable {
        let k: Int
    }

    private struct Dates: Decodable, Sendable {
        let d: [Date]
    }

    /// A server that plays a fault, and answers well under another path.
    private func server(_ fault: LoopbackServer.Answer) throws -> LoopbackServer {
        try LoopbackServer { $0.path == "/next" ? .json(#"{"k":2}"#) : fault }
    }

    /// The error of a load, after which another one works.
    private func failure(
        _ way: Way, _ fault: LoopbackServer.Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> any Error {
        let server = try server(fault)
        let error = await #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
            let _: Value = try await way.load(.get, "\(server.url)/fault")
        }
        let next: Value = try await way.load(.get, "\(server.url)/next")
        #expect(next == Value(k: 2), sourceLocation: sourceLocation)
        return try #require(error, sourceLocation: sourceLocation)
    }

    private func value(_ way: Way, _ answer: LoopbackServer.Answer) async throws -> Value {
        let server = try server(answer)
        let value: Value = try await way.load(.get, "\(server.url)/")
        server.stop()
        return value
    }

    @Test(
        "O-21, O-22 A cut body is a lost connection", arguments: Way.all,
        [
            "Content-Length: 10\r\n\r\n{\"k\":1",
            "Transfer-Encoding: chunked\r\n\r\n7\r\n{\"k\":1}\r\n",
        ])
    func cutBody(_ way: Way, rest: String) async throws {
        let error = try await failure(way, .cut("HTTP/1.1 200 OK\r\n\(rest)"))
        #expect((error as? URLError)?.code == .networkConnectionLost, "\(error)")
    }

    // With URLSession on Linux, half a gzip is a whole one (Docs/Transports.md).
    @Test("O-23 A cut gzip is an error", arguments: Way.curl)
    func cutGzip(_ way: Way) async throws {
        let legal = try #require(LegalResponse.all.last { $0.isCoded && $0.framing == .untilClose })
        let half = legal.bytes.dropLast(legal.content.count / 2)
        let fault = LoopbackServer.Answer([.send(Data(half)), .close])
        let error = try await failure(way, fault)
        #expect((error as? URLError)?.code == .cannotDecodeContentData, "\(error)")
    }

    @Test("O-24 Early hints are no answer", arguments: Way.all)
    func earlyHints(_ way: Way) async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"k\":1}"
        #expect(try await value(way, .raw(hints + hints + answer)) == Value(k: 1))
    }

    @Test("O-25 HEAD ends with its head", arguments: Way.all)
    func head(_ way: Way) async throws {
        let server = try server(.bodiless(200, [("Content-Length", "1192")]))
        try await way.send(.head, "\(server.url)/")
    }

    // With URLSession on Linux, it ends the process (Docs/Transports.md).
    @Test(
        "O-26 A head that is cut is a lost connection", arguments: Way.curl,
        ["HTTP/1.1 200 OK\r\nContent-Le", ""])
    func cutHead(_ way: Way, bytes: String) async throws {
        let error = try await failure(way, .cut(bytes))
        #expect((error as? URLError)?.code == .networkConnectionLost, "\(error)")
    }

    @Test("O-27 An early refusal is the answer", arguments: Way.all)
    func earlyRefusal(_ way: Way) async throws {
        let refusal =
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 15\r\n\r\n"
            + #"{"error":"big"}"#
        let server = try LoopbackServer(script: [
            LoopbackServer.Answer(
                [.text(refusal), .halfClose, .drain(1)], readsBodyFirst: false, keepsAlive: false)
        ])
        let error = await #expect(throws: (any Error).self) {
            try await way.upload(.data(Data(count: 8 << 20)), "\(server.url)/")
        }
        let status = try #require(error as? HTTPStatusError, "\(error as Any)")
        #expect(status.status == 413)
        #expect(status.body == Data(#"{"error":"big"}"#.utf8))
        // What a client and the system hold ahead is less than a third of it.
        #expect(server.bytesReceived < 6 << 20)
    }

    @Test("O-28 An empty success", arguments: Way.all, [204, 205, 200])
    func emptySuccess(_ way: Way, status: Int) async throws {
        let server = try server(.respond(status, [("Content-Length", "0")], body: ""))
        try await way.send(.get, "\(server.url)/")
        let optional: Value? = try await way.load(.get, "\(server.url)/")
        #expect(optional == nil)
        let text: String = try await way.load(.get, "\(server.url)/")
        #expect(text == "")
        let error = await #expect(throws: ResponseBodyError.self) {
            let _: Value = try await way.load(.get, "\(server.url)/")
        }
        #expect(error?.kind == .empty)
        #expect(error?.status == status)
    }

    @Test("O-29 JSON may start with a byte order mark", arguments: Way.all)
    func byteOrderMark(_ way: Way) async throws {
        #expect(try await value(way, .json("\u{FEFF}{\"k\":1}")) == Value(k: 1))
    }

    @Test("O-31 A gateway's page does not hide the status", arguments: Way.all)
    func gatewaysPage(_ way: Way) async throws {
        let page = "<html>502</html>    "
        let error = try await failure(
            way, .respond(502, [("Content-Type", "text/html")], body: page))
        let status = try #require(error as? HTTPStatusError)
        #expect(status.code == 502)
        #expect(status.headers["Content-Type"] == "text/html")
        #expect(status.body == Data(page.utf8))
    }

    @Test("O-32 Dates with and without a fraction", arguments: Way.all)
    func dates(_ way: Way) async throws {
        let day = "2026-05-25T22:46:27"
        let texts = ["Z", ".580Z", ".580497Z", "+02:00", ".58+02:00"].map { "\"\(day)\($0)\"" }
        let server = try server(.json("{\"d\":[\(texts.joined(separator: ","))]}"))
        let dates: Dates = try await way.load(.get, "\(server.url)/")
        let right = [1779749187, 1779749187.58, 1779749187.580497, 1779741987, 1779741987.58]
        for (date, seconds) in zip(dates.d, right) {
            #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
        }
        #expect(dates.d.count == 5)
    }

    @Test("O-33 A POST that becomes GET loses what describes its body", arguments: Way.all)
    func becomesGet(_ way: Way) async throws {
        for status in [301, 302, 303] {
            let server = try LoopbackServer { request in
                request.path == "/r"
                    ? .respond(status, [("Location", "/echo")]) : .json(#"{"k":1}"#)
            }
            let body = RawBody(data: Data("hello".utf8), contentType: "text/plain")
            let value: Value = try await way.load(
                .post, "\(server.url)/r", body: body, headers: ["X-Trace": "t"])
            let last = try #require(server.requests.last)
            #expect(value.k == 1 && last.method == "GET" && last.body.isEmpty)
            let names = last.fields.map { $0.name.lowercased() }
            #expect(!names.contains { $0.hasPrefix("content-") || $0 == "transfer-encoding" })
            #expect(last.first("X-Trace") == "t")
        }
    }

    @Test("O-34, O-35 A body follows to another origin, credentials do not", arguments: Way.all)
    func otherOrigin(_ way: Way) async throws {
        let other = try LoopbackServer { _ in .json(#"{"k":1}"#) }
        for (status, target) in [(307, other.url("/echo").absoluteString), (308, "/echo")] {
            let server = try LoopbackServer { request in
                request.path == "/r"
                    ? .respond(status, [("Location", target)]) : .json(#"{"k":1}"#)
            }
            let body = RawBody(data: Data("hello".utf8), contentType: "text/plain")
            let _: Value = try await way.load(
                .post, "\(server.url)/r", body: body,
                headers: ["Authorization": "Bearer t", "X-Trace": "1"])
            let last = try #require(target == "/echo" ? server.requests.last : other.requests.last)
            #expect(last.method == "POST" && last.bodyText == "hello")
            #expect(last.first("Content-Type") == "text/plain")
            #expect(last.first("X-Trace") == "1")
            #expect(last.first("Authorization") == (target == "/echo" ? "Bearer t" : nil))
        }
    }

    @Test("O-36 Two cookies with commas in their dates", arguments: Way.all)
    func cookies(_ way: Way) async throws {
        let fields = [
            ("Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/"),
            ("Set-Cookie", "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/"),
        ]
        let server = try LoopbackServer { _ in .respond(200, fields, body: "") }
        try await way.send(.get, "\(server.url)/")
        try await way.send(.get, "\(server.url)/")
        // A way keeps its cookies from test to test, of the same host.
        #expect(server.requests.last?.values("Cookie") == ["a=1; b=2"])
    }

    @Test("O-41 A POST is never sent twice", arguments: Way.all)
    func postIsSentOnce(_ way: Way) async throws {
        let server = try LoopbackServer { request in
            request.path == "/drop" ? LoopbackServer.Answer([.close]) : .json(#"{"k":1}"#)
        }
        let _: Value = try await way.load(.get, "\(server.url)/a")
        // URLSession on Linux waits until the time is up: its libcurl wants to send the body again, and can't.
        let error = await #expect(throws: URLError.self) {
            try await way.send(
                .post, "\(server.url)/drop", body: .form(["charge": "1"]), idleLimit: 3)
        }
        #expect(error?.requestMayHaveArrived == true)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }
}
#endif
