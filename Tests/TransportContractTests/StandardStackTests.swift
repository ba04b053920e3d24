// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the standard stack makes of several exchanges, on each terminal.
@Suite(.timeLimit(.minutes(5)))
struct StandardStackTests {
    private typealias Answer = LoopbackServer.Answer

    private static let standard = Subject.all.filter(\.isStandard)

    @Test(arguments: standard, Reading.allCases)
    func metricsCountTheAttempts(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer(script: [
            .text("later", status: 503), .text("later", status: 503), .text("ok"),
        ])
        let request = HTTPRequest.get(server.url("/")) {
            $0.options.attempts = 5
            $0.options.retryDelay = 0
        }
        let transport = subject.transport()
        guard case .answer(let response, _) = await transport.outcome(request, reading) else {
            Issue.record("no answer")
            return
        }
        #expect(response.status == 200)
        #expect(response.metrics?.attempts == 3)
        let once = try await transport.send(.get(server.url("/")))
        _ = try await once.data()
        #expect(once.metrics?.attempts == 1)
    }

    /// Each hop alone would be in time.
    @Test(arguments: standard, Reading.allCases)
    func totalLimitCoversAllHops(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { request in
            let hop = Int(request.path.dropFirst()) ?? 0
            let answer: Answer =
                hop == 0 ? .text("ok") : .respond(302, [("Location", "/\(hop - 1)")])
            return Answer([.pause(0.3)] + answer.steps)
        }
        let request = HTTPRequest.get(server.url("/15")) { $0.options.totalTimeout = 1 }
        let outcome = await subject.transport().outcome(request, reading)
        #expect(outcome.urlError?.code == .timedOut, "\(outcome)")
        // On a machine that stands still for a second, nothing is sent.
        #expect(outcome.urlError?.requestMayHaveArrived == true || server.requests.isEmpty)
        #expect(server.requests.count < 8)
    }

    /// A minute would be waited, were it not for the limit: the answer stands.
    @Test(arguments: standard, Reading.allCases)
    func totalLimitCoversTheWaitsOfARetry(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { _ in
            .respond(503, [("Retry-After", "60")], body: "later")
        }
        let request = HTTPRequest.get(server.url("/")) {
            $0.options.totalTimeout = 55
            $0.options.attempts = 3
        }
        let outcome = await subject.transport().outcome(request, reading)
        #expect(outcome.status == 503)
        #expect(outcome.text == "later")
        #expect(server.requests.count == 1)
    }

    /// What follows never comes: whoever waited for the whole body would fail when the time is up.
    @Test(arguments: standard)
    func bodyOfARedirectIsNotReadToItsEnd(_ subject: Subject) async throws {
        let isKnownToWait = Exceptions.entry(subject.terminal, .redirectIsDropped) != nil
        try await subject.expect(.redirectIsDropped) {
            try await check(subject, swallowing: 302, limit: isKnownToWait ? 3 : 120)
        }
    }

    @Test(arguments: standard)
    func bodyOfWhatIsRepeatedIsNotReadToItsEnd(_ subject: Subject) async throws {
        try await check(subject, swallowing: 503, limit: 120)
    }

    private func check(
        _ subject: Subject, swallowing status: Int, limit: TimeInterval
    ) async throws {
        let head = "HTTP/1.1 \(status) X\r\nLocation: /x\r\nContent-Length: 100000000\r\n\r\n"
        let server = try LoopbackServer(script: [
            Answer([.text(head), .send(pattern(100_000)), .hold]), .text("ok"),
        ])
        let request = HTTPRequest.get(server.url("/r")) {
            $0.options.attempts = 2
            $0.options.retryDelay = 0
            // Not the idle limit: what that ends is repeated, and then answered.
            $0.options.totalTimeout = limit
            $0.idleLimit = 300
        }
        let outcome = await subject.transport().outcome(request)
        #expect(outcome.text == "ok", "\(outcome)")
        #expect(await server.waitForOpenConnections(0))
    }

    /// So the connection can be used again.
    @Test(arguments: standard)
    func smallBodyOfASwallowedAnswerIsRead(_ subject: Subject) async throws {
        let server = try LoopbackServer(script: [
            .respond(302, [("Location", "/x")], body: pattern(60_000)),
            .respond(503, body: pattern(60_000)), .text("ok"),
        ])
        let request = HTTPRequest.get(server.url("/r")) {
            $0.options.attempts = 2
            $0.options.retryDelay = 0
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        #expect(server.requests.count == 3)
        #expect(server.acceptCount == 1)
    }

    /// An answer that looks like a redirect and is none is read whole by `send`.
    @Test(arguments: standard)
    func redirectThatIsNotFollowedIsCollected(_ subject: Subject) async throws {
        try await subject.expect(.redirectWithoutLocation) {
            try await check(subject, collecting: 302)
        }
    }

    /// So is one that looks like one to repeat, and isn't.
    @Test(arguments: standard)
    func failureThatIsNotRepeatedIsCollected(_ subject: Subject) async throws {
        try await check(subject, collecting: 503)
    }

    private func check(_ subject: Subject, collecting status: Int) async throws {
        let server = try LoopbackServer(script: [
            .text("sorry", status: status),
            .cut("HTTP/1.1 \(status) X\r\nContent-Length: 10\r\n\r\n123456"),
            .text("too long", status: status),
        ])
        // A POST, which a bare 503 does not repeat.
        func request(collect: Int) -> HTTPRequest {
            .make(.post, server.url("/"), .data(Data("a".utf8))) {
                $0.options.collect = collect
                $0.options.attempts = 2
                $0.options.retryDelay = 0
            }
        }
        let transport = subject.transport()
        let whole = await transport.outcome(request(collect: 5))
        #expect(whole.status == status)
        #expect(whole.text == "sorry")
        let cut = await transport.outcome(request(collect: 100))
        #expect(cut.failedInSend, "\(cut)")
        #expect(cut.urlError?.code == .networkConnectionLost)
        let long = await transport.outcome(request(collect: 3))
        #expect(long.failedInSend)
        #expect((long.error as? ResponseBodyError)?.kind == .tooLarge(limit: 3))
        #expect(server.requests.count == 3)
    }
}
