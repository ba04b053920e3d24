// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTransports
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// For each pair of layers, why the one stands outside the other: by what a scripted wire gets to see.
@Suite(.timeLimit(.minutes(5)))
struct StackOrderInternalTests {
    /// A whole stack on a wire that gives the nth answer to the nth request; one more fails the test.
    private final class Wire: Sendable {
        let log = Locked<[String]>([])
        let refreshes = Locked(0)
        let stub: StubTransport
        let stack: any HTTPTransport

        init(_ script: StubTransport.Answer...) {
            let left = Locked(script)
            stub = StubTransport { _ in
                try left.withLock { left in
                    try #require(!left.isEmpty)
                    return left.removeFirst()
                }
            }
            let url = URL(string: "https://host/")!
            let source = TokenSource(for: url, startingWith: BearerToken("s3cret-1")) {
                [refreshes] _ in
                refreshes.withLock { $0 += 1 }
                return BearerToken("s3cret-2")
            }
            var policy = RetryPolicy(attempts: 3, delay: 0)
            policy.budget = nil
            stack = stub.standard().retrying(policy).authenticating(with: source)
                .timingOut(after: 100)
                .logging { [log] line in log.withLock { $0.append(line) } }
        }

        func send(_ method: HTTPMethod = .get, _ path: String = "/a") async throws -> Int {
            try await stack.roundTrip(
                method, URL(string: "https://host\(path)")!,
                body: method == .post ? .data(Data("body".utf8)) : .empty
            ).status
        }

        /// What was sent, with the last digit of its token and its cookies.
        var seen: [String] {
            stub.requests.map { request in
                let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")?.last
                let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie")
                return [
                    request.urlRequest.httpMethod,
                    request.urlRequest.url?.absoluteString.replacingOccurrences(
                        of: "https://host", with: ""),
                    token.map { String($0) }, cookie,
                ].compactMap { $0 }.joined(separator: " ")
            }
        }

        var lines: [String] {
            log.withLock { $0 }.map { line in String(line.prefix { $0 != "," }) }
        }
    }

    private static func redirect(_ status: Int, to location: String) -> StubTransport.Answer {
        .status(status, headers: ["Location": location])
    }

    // MARK: Redirects outside retry

    @Test func aPOSTAnsweredByARedirectIsNeverSentAgain() async throws {
        let wire = Wire(Self.redirect(303, to: "/b"), .status(503), .status(500), .status(200))
        #expect(try await wire.send(.post) == 200)
        #expect(wire.seen == ["POST /a 1", "GET /b 1", "GET /b 1", "GET /b 1"])
    }

    @Test func eachHopHasItsAttempts() async throws {
        let wire = Wire(
            .status(503), .status(503), Self.redirect(302, to: "/b"), .status(503), .status(503),
            .status(200))
        #expect(try await wire.send() == 200)
        #expect(
            wire.seen == Array(repeating: "GET /a 1", count: 3)
                + Array(repeating: "GET /b 1", count: 3))
    }

    @Test func aPOSTThatIsRepeatedByItsHopStaysOne() async throws {
        // 307 keeps the method; a bare 500 may have been acted on.
        let wire = Wire(Self.redirect(307, to: "/b"), .status(429), .status(500))
        #expect(try await wire.send(.post) == 500)
        #expect(wire.seen == ["POST /a 1", "POST /b 1", "POST /b 1"])
    }

    // MARK: Authentication outside redirects

    @Test func a401FromAForeignOriginRefreshesNothingAndReplaysNothing() async throws {
        let wire = Wire(Self.redirect(307, to: "https://other/b"), .status(401))
        #expect(try await wire.send() == 401)
        #expect(wire.seen == ["GET /a 1", "GET https://other/b"])
        #expect(wire.refreshes.withLock { $0 } == 0)
    }

    @Test func a401OfALaterHopStartsOverWithANewToken() async throws {
        let wire = Wire(
            Self.redirect(302, to: "/b"), .status(401), Self.redirect(302, to: "/b"), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen == ["GET /a 1", "GET /b 1", "GET /a 2", "GET /b 2"])
    }

    @Test func a401OfALaterHopRepeatsNoPOST() async throws {
        let wire = Wire(Self.redirect(303, to: "/a"), .status(401))
        #expect(try await wire.send(.post) == 401)
        #expect(wire.seen == ["POST /a 1", "GET /a 1"])
        #expect(wire.refreshes.withLock { $0 } == 0)
    }

    // MARK: Authentication outside retry

    @Test func a401IsNotRetriedAndItsReplayHasItsAttempts() async throws {
        let wire = Wire(.status(503), .status(401), .status(503), .status(503), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen == ["GET /a 1", "GET /a 1", "GET /a 2", "GET /a 2", "GET /a 2"])
        #expect(wire.refreshes.withLock { $0 } == 1)
    }

    @Test func aSecond401Ends() async throws {
        let wire = Wire(.status(401), .status(503), .status(401))
        #expect(try await wire.send() == 401)
        #expect(wire.seen == ["GET /a 1", "GET /a 2", "GET /a 2"])
        #expect(wire.refreshes.withLock { $0 } == 1)
    }

    @Test func aPOSTIsReplayedAfterA401AndNotAfterWhatFollows() async throws {
        let wire = Wire(.status(401), .status(500))
        #expect(try await wire.send(.post) == 500)
        #expect(wire.seen == ["POST /a 1", "POST /a 2"])
        guard case .data(let body)? = wire.stub.requests.last?.body else {
            Issue.record("no body")
            return
        }
        #expect(body == Data("body".utf8))
    }

    // MARK: Retry, redirects and authentication outside cookies

    @Test func eachAttemptTakesWhatTheLastOneWasGiven() async throws {
        let wire = Wire(.status(503, headers: ["Set-Cookie": "a=1"]), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen == ["GET /a 1", "GET /a 1 a=1"])
    }

    @Test func eachHopTakesWhatTheLastOneWasGiven() async throws {
        let first = StubTransport.Answer.status(
            302, headers: ["Location": "/b", "Set-Cookie": "a=1; Path=/b"])
        let wire = Wire(first, Self.redirect(302, to: "https://other/b"), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen == ["GET /a 1", "GET /b 1 a=1", "GET https://other/b"])
    }

    @Test func theReplayTakesWhatThe401Gave() async throws {
        let wire = Wire(.status(401, headers: ["Set-Cookie": "a=1"]), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen == ["GET /a 1", "GET /a 2 a=1"])
    }

    // MARK: Everything outside the log

    @Test func theLogSeesEachExchangeAndNoSecret() async throws {
        let wire = Wire(
            Self.redirect(302, to: "/b"), .status(503), .status(401), .status(429),
            Self.redirect(302, to: "/b"), .status(200))
        #expect(try await wire.send() == 200)
        #expect(
            wire.lines == [
                "GET https://host/a → 302", "GET https://host/b → 503", "GET https://host/b → 401",
                "GET https://host/a → 429", "GET https://host/a → 302", "GET https://host/b → 200",
            ])
        #expect(!wire.log.withLock { $0 }.joined().contains("s3cret"))
    }

    // MARK: The limit outside everything

    @Test func oneLimitIsOverAllThatIsSent() async throws {
        let wire = Wire(
            .status(503), Self.redirect(302, to: "/b"), .status(401), .status(503), .status(200))
        #expect(try await wire.send() == 200)
        #expect(wire.seen.count == 5)
        #expect(Set(wire.stub.requests.map(\.options.deadline)).count == 1)
    }

    // Half a minute is asked for; there are ten seconds.
    @Test func aWaitThatWouldPassTheLimitIsNotBegun() async throws {
        let stub = StubTransport { _ in .status(503, headers: ["Retry-After": "30"]) }
        let stack = stub.standard().retrying().timingOut(after: 10)
        let url = try #require(URL(string: "https://host/"))
        #expect(try await stack.roundTrip(url: url).status == 503)
        #expect(stub.requests.count == 1)
    }
}
