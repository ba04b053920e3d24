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
struct RetryTransportTests {
    private let stack = standardStack()

    /// Answers 503 to the first `count` requests, then 200.
    private func failingServer(_ count: Int, status: Int = 503) throws -> LoopbackServer {
        try LoopbackServer(
            script: Array(repeating: .text("later", status: status), count: count) + [.text("ok")]
        )
    }

    @Test func itIsOffByDefault() async throws {
        let server = try failingServer(1)
        let response = try await stack.roundTrip(.get, server.url("/"))
        #expect(response.status == 503)
        #expect(try await response.data() == Data("later".utf8))
        #expect(server.requests.count == 1)
    }

    @Test func aTransientFailureIsRepeatedUntilItSucceeds() async throws {
        let server = try failingServer(2)
        let response = try await stack.roundTrip(.get, server.url("/")) {
            $0.attempts = 3
            $0.retryDelay = 0
        }
        #expect(response.status == 200)
        #expect(server.requests.count == 3)
    }

    @Test func neverMoreThanItsAttempts() async throws {
        let server = try failingServer(100)
        let response = try await stack.roundTrip(.get, server.url("/")) {
            $0.attempts = 4
            $0.retryDelay = 0
        }
        #expect(response.status == 503)
        #expect(try await response.data() == Data("later".utf8))
        #expect(server.requests.count == 4)
    }

    // O-40
    @Test(arguments: [false, true])
    func aRepeatedBodyIsWhole(isStreamed: Bool) async throws {
        let server = try failingServer(1)
        let text = String(repeating: "0123456789abcdef", count: 64)
        let body: RequestBody = isStreamed ? .stream(Chunks(text, text)) : .data(Data(text.utf8))
        let response = try await stack.roundTrip(.put, server.url("/"), body: body) {
            $0.attempts = 2
            $0.retryDelay = 0
        }
        #expect(response.status == 200)
        let expected = isStreamed ? text + text : text
        #expect(server.requests.map(\.bodyText) == [expected, expected])
        #expect(server.requests.map(\.bodyIsComplete) == [true, true])
    }

    // O-40: a source that can't be read again.
    @Test func aBodyThatCanNotBeReadAgainIsAnErrorAndNeverAnEmptyBody() async throws {
        let server = try failingServer(1)
        var urlRequest = URLRequest(method: .put, url: server.url("/"))
        urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        var request = HTTPRequest(urlRequest)
        request.options.attempts = 2
        request.options.retryDelay = 0
        let sent = request
        let error = await #expect(throws: URLError.self) { try await stack.send(sent) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(server.requests.filter(\.bodyIsComplete).map(\.bodyText) == ["once"])
    }

    @Test func aLostConnectionIsRepeatedForGetAndNotForPost() async throws {
        let server = try LoopbackServer { request in
            request.path == "/drop" ? Answer([.close]) : .text("ok")
        }
        for (method, count) in [(HTTPMethod.get, 3), (.post, 1)] {
            let before = server.requests.count
            let error = await #expect(throws: URLError.self) {
                try await stack.roundTrip(method, server.url("/drop")) {
                    $0.attempts = 3
                    $0.retryDelay = 0
                }
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(error?.requestMayHaveArrived == true)
            #expect(server.requests.count - before == count)
        }
    }

    // O-42, with the real wait: a minute, were it not cancelled.
    @Test func cancellingDuringTheRealWaitIsPrompt() async throws {
        let server = try LoopbackServer { _ in .respond(503, [("Retry-After", "60")]) }
        let url = server.url("/")
        let answered = Gate()
        let task = Task { [stack] in
            try await stack.logging { _ in answered.open() }
                .roundTrip(.get, url) { $0.attempts = 2 }
        }
        // Before that, a cancel would end the request.
        await answered.wait()
        let start = ProcessInfo.processInfo.systemUptime
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ProcessInfo.processInfo.systemUptime - start < 10)
        #expect(server.requests.count == 1)
    }

    private typealias Answer = LoopbackServer.Answer
}
