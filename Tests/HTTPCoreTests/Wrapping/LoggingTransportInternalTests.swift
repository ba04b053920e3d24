// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTransports
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct LoggingTransportInternalTests {
    /// What one request writes.
    private func lines(
        _ answer: @escaping AnswersInTurn.Answer,
        _ method: HTTPMethod = .get,
        _ url: String = "https://h.net/todos",
        _ headers: [String: String] = [:],
        options change: (inout HTTPRequest.Options) -> Void = { $0.logs = true }
    ) async throws -> [String] {
        let lines = Locked<[String]>([])
        let transport = LoggingTransport(
            base: AnswersInTurn([answer]),
            log: ExchangeLog(write: { line in lines.withLock { $0.append(line) } })
        )
        _ = try? await transport.roundTrip(
            method,
            try #require(URL(string: url)),
            headers,
            options: change
        )
        return lines.withLock { $0 }
    }

    @Test func anAnswerIsOneLine() async throws {
        let lines = try await lines(AnswersInTurn.status(200, body: "12345"))
        let pattern = #"^GET https://h\.net/todos → 200, 5 bytes, \d+\.\d ms$"#
        try #require(lines.count == 1)
        #expect(lines[0].range(of: pattern, options: .regularExpression) != nil)
    }

    /// A logged answer whose body streams, and what is written so far.
    private func streamed(
        _ chunks: [Result<String, URLError>], _ cancels: Locked<Int> = Locked(0)
    ) async throws -> (response: HTTPResponse, lines: () -> [String]) {
        let (lines, left) = (Locked<[String]>([]), Locked(chunks[...]))
        let transport = LoggingTransport(
            base: AnswersInTurn([
                { request in
                    let body = ResponseBody(
                        next: {
                            let chunk = left.withLock { $0.popFirst() }
                            return try chunk.map { Data(try $0.get().utf8) }
                        },
                        metrics: { left.withLock { $0.isEmpty } ? HTTPMetrics() : nil },
                        cancel: { cancels.withLock { $0 += 1 } })
                    return HTTPResponse(status: 200, url: request.urlRequest.url!, body: body)
                }
            ]),
            log: ExchangeLog(write: { line in lines.withLock { $0.append(line) } }))
        let url = try #require(URL(string: "https://h.net/export"))
        let response = try await transport.roundTrip(.get, url) { $0.logs = true }
        return (response, { lines.withLock { $0 } })
    }

    private func expect(_ lines: [String], _ pattern: String) throws {
        try #require(lines.count == 1, "\(lines)")
        #expect(lines[0].range(of: pattern, options: .regularExpression) != nil, "\(lines)")
    }

    @Test func theLineOfAStreamComesWhenItsBodyHasEnded() async throws {
        let (response, lines) = try await streamed([.success("abc"), .success("de")])
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == Data("abc".utf8))
        #expect(try await body.next() == Data("de".utf8))
        #expect(lines() == [])
        #expect(try await body.next() == nil)
        try expect(lines(), #"^GET https://h\.net/export → 200, 5 bytes, \d+\.\d ms$"#)
        #expect(response.metrics != nil)
        #expect(try await body.next() == nil)
        #expect(lines().count == 1)
    }

    @Test func theLineOfAStreamThatFailsHasTheSentence() async throws {
        let lost = URLError(.networkConnectionLost, saying: "The connection to h.net was lost.")
        let (response, lines) = try await streamed([.success("abc"), .failure(lost)])
        await #expect(throws: URLError.self) { try await response.data() }
        try expect(
            lines(),
            #"→ 200, 3 bytes, then The connection to h\.net was lost\. \(\d+\.\d ms\)$"#)
    }

    @Test func theLineOfAStreamThatIsDroppedComesAtOnce() async throws {
        let cancels = Locked(0)
        var lines: () -> [String] = { [] }
        do {
            let stream = try await streamed([.success("abc"), .success("de")], cancels)
            lines = stream.lines
            var body = stream.response.body.makeAsyncIterator()
            #expect(try await body.next() == Data("abc".utf8))
            #expect(cancels.withLock { $0 } == 0)
        }
        #expect(cancels.withLock { $0 } == 1)
        try expect(lines(), #"→ 200, 3 bytes, then cancelled \(\d+\.\d ms\)$"#)
    }

    @Test func pastItsLimitALoggedStreamEnds() async throws {
        let cancels = Locked(0)
        let (response, lines) = try await streamed([.success("abc"), .success("de")], cancels)
        await #expect(throws: ResponseBodyError.self) { try await response.data(upTo: 2) }
        #expect(cancels.withLock { $0 } == 1)
        try expect(lines(), #"→ 200, 3 bytes, then cancelled"#)
    }

    @Test func aFailureIsOneLineWithItsSentence() async throws {
        let error = URLError(.networkConnectionLost, saying: "The connection to h.net was lost.")
        let lines = try await lines(AnswersInTurn.failure(error), .post) {
            $0.logs = true
            $0.attempt = 2
            $0.layers.waited = 0.25
        }
        let pattern =
            #"^POST https://h\.net/todos → The connection to h\.net was lost\. \(\d+\.\d ms, attempt 2, 0\.25 s waited\)$"#
        try #require(lines.count == 1)
        #expect(lines[0].range(of: pattern, options: .regularExpression) != nil)
    }

    @Test func aCancelledRequestIsCalledSo() async throws {
        let lines = try await lines(AnswersInTurn.failure(CancellationError()))
        #expect(lines.first?.contains("→ cancelled") == true)
    }

    // Next to the terminal it sees each hop and each attempt.
    @Test func everyExchangeIsALine() async throws {
        let lines = Locked<[String]>([])
        let base = AnswersInTurn([
            AnswersInTurn.status(302, ["Location": "/x"]), AnswersInTurn.status(503),
            AnswersInTurn.status(200),
        ])
        let logged = LoggingTransport(
            base: base,
            log: ExchangeLog(write: { line in lines.withLock { $0.append(line) } })
        )
        let stack = RedirectTransport(base: RetryTransport(base: logged, sleep: { _ in }))
        _ = try await stack.roundTrip(.get, try #require(URL(string: "http://h.net/r"))) {
            $0.logs = true
            $0.attempts = 2
        }
        let all = lines.withLock { $0 }
        try #require(all.count == 3)
        #expect(all[0].hasPrefix("GET http://h.net/r → 302, "))
        #expect(all[1].hasPrefix("GET http://h.net/x → 503, "))
        #expect(all[2].hasPrefix("GET http://h.net/x → 200, "))
        #expect(all.map { $0.contains(" ms, attempt 2, 0.") } == [false, false, true])
    }

    @Test func itIsAsleepByDefault() async throws {
        #expect(try await lines(AnswersInTurn.status(200)) { _ in } == [])
    }

    @Test func ofAnExchangeOverTheWireTheSizeIsShownAndNotTheBody() async throws {
        let server = try LoopbackServer { request in
            .json(#"{"token":"s3cret-echo","got":"\#(request.first("Authorization") ?? "")"}"#)
        }
        let lines = Locked<[String]>([])
        let logged = LoggingTransport(
            base: standardStack(),
            log: ExchangeLog(write: { line in lines.withLock { $0.append(line) } })
        )
        let response = try await logged.roundTrip(
            .get,
            server.url("/a?token=s3cret-query&page=2"),
            ["Authorization": "Bearer s3cret-auth"]
        ) {
            $0.logs = true
        }
        let size = try await response.data().count
        let line = try #require(lines.withLock { $0 }.first)
        #expect(
            line.hasPrefix(
                "GET \(server.url("/a?token=•••&page=2").absoluteString.removingPercentEncoding ?? "") → 200, \(size) bytes, "
            )
        )
        #expect(!line.contains("s3cret"))
    }

    @Test(arguments: [
        "https://h.net/?token=s3cret", "https://h.net/?a=1&access_token=s3cret&b=2",
        "https://user:s3cret@h.net/", "https://s3cret@h.net/", "https://h.net/?password=s3cret#x",
        "https://h.net/?API-Key=s3cret", "https://h.net/#access_token=s3cret",
    ])
    func aSecretInAURLIsNeverShown(url: String) async throws {
        let answers = [
            AnswersInTurn.status(200), AnswersInTurn.failure(URLError(.timedOut)),
            AnswersInTurn.failure(InvalidRequest(.url, "no")),
        ]
        for answer in answers {
            let lines = try await lines(answer, .get, url)
            #expect(lines.count == 1)
            #expect(lines.allSatisfy { !$0.contains("s3cret") })
            #expect(lines.allSatisfy { $0.contains("h.net") })
        }
    }

    // A server's or a transport's words may echo what the request carried.
    @Test(arguments: [
        ("Authorization", "Bearer s3cret-a"), ("Cookie", "sid=s3cret-c"),
        ("Proxy-Authorization", "Basic s3cret-p"), ("X-Api-Key", "s3cret-k"),
        ("X-House", "s3cret-h"),
    ])
    func aSecretThatAnErrorEchoesIsNeverShown(name: String, value: String) async throws {
        let error = URLError(.badServerResponse, saying: "The server said: bad value \(value)!")
        let lines = try await lines(
            AnswersInTurn.failure(error),
            .get,
            "https://h.net/",
            [name: value]
        ) {
            $0.logs = true
            $0.secretHeaders = ["x-house"]
        }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { !$0.contains("s3cret") })
        #expect(lines.allSatisfy { $0.contains("The server said") })
    }

    // A transport of the caller's own may put a body into its sentence.
    @Test(arguments: [#"{"access_token":"s3cret"}"#, #"{"a":{"password":"s3cret"#, "pw=s3cret&a=1"])
    func aSecretMemberThatAnErrorEchoesIsNeverShown(echo: String) async throws {
        let error = URLError(.badServerResponse, saying: "The server said \(echo)")
        let lines = try await lines(AnswersInTurn.failure(error))
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { !$0.contains("s3cret") })
    }

    // A line end in what a caller passes, or a server says, can't start a line of its own.
    @Test func aLineStaysOneLine() async throws {
        let error = URLError(.badServerResponse, saying: "one\r\ntwo\nthree\u{0}\u{2028}four")
        let method = HTTPMethod(rawValue: "GET\r\nPOST https://h.net/fake → 200")
        for line in try await lines(AnswersInTurn.failure(error), method) {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 })
        }
    }
}
