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
struct RetryPolicyTests {
    private let url = URL(string: "http://h.net/a")!

    /// What a stack that is made to repeat sends, and what comes of it.
    private func outcome(
        _ policy: RetryPolicy, _ answers: StubTransport.Answer..., method: HTTPMethod = .get,
        options change: (inout HTTPRequest.Options) -> Void = { _ in }
    ) async throws -> (response: HTTPResponse, sent: Int) {
        let left = Locked(answers)
        let stub = StubTransport { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        var policy = policy
        policy.delay = 0
        let response = try await stub.standard().retrying(policy)
            .roundTrip(method, url, options: change)
        return (response, stub.requests.count)
    }

    @Test func aTransportRepeatsForEachOfItsCalls() async throws {
        let outcome = try await outcome(RetryPolicy(), .status(503), .status(500), .json("1"))
        #expect(outcome.response.status == 200)
        #expect(outcome.sent == 3)
        let tooMany = try await self.outcome(RetryPolicy(attempts: 2), .status(503))
        #expect(tooMany.response.status == 503)
        #expect(tooMany.sent == 2)
    }

    @Test func aCallsOwnAttemptsWin() async throws {
        let outcome = try await outcome(RetryPolicy(attempts: 2), .status(503)) { $0.attempts = 4 }
        #expect(outcome.sent == 4)
    }

    @Test func itsStatusesCount() async throws {
        var policy = RetryPolicy()
        policy.statuses = [418]
        #expect(try await outcome(policy, .status(418), .status(200)).sent == 2)
        #expect(try await outcome(policy, .status(503), .status(200)).sent == 1)
        // Nobody knows whether it was acted on.
        #expect(try await outcome(policy, .status(418), .status(200), method: .post).sent == 1)
    }

    @Test func itsErrorsCount() async throws {
        for (errors, sent) in [([.badServerResponse], 3), ([], 1)] as [(Set<URLError.Code>, Int)] {
            var policy = RetryPolicy()
            policy.errors = errors
            policy.delay = 0
            let stub = StubTransport { _ in throw URLError(.badServerResponse) }
            let transport = stub.retrying(policy)
            let error = await #expect(throws: URLError.self) {
                try await transport.roundTrip(url: url)
            }
            #expect(error?.code == .badServerResponse)
            #expect(stub.requests.count == sent)
        }
    }

    @Test func theClosureHasTheLastWord() async throws {
        let asked = Locked<[(Int?, TimeInterval?)]>([])
        var policy = RetryPolicy(attempts: 4)
        policy.decide = { _, outcome, wait in
            let status = try? outcome.get().status
            asked.withLock { $0.append((status, wait)) }
            return status == 404 ? 0 : status == 503 ? nil : wait
        }
        // Repeats what would not be, then does not repeat what would.
        let outcome = try await outcome(
            policy, .status(404), .status(500), .status(503), .json("1"))
        #expect(outcome.response.status == 503)
        #expect(outcome.sent == 3)
        let seen = asked.withLock { $0 }
        #expect(seen.map(\.0) == [404, 500, 503])
        #expect(seen.map { $0.1 == nil } == [true, false, false])
    }

    @Test func theClosureIsBoundedByTheAttemptsAndSeesErrorsOfAnyKind() async throws {
        struct Odd: Error {}
        var policy = RetryPolicy(attempts: 3)
        policy.decide = { _, _, _ in -.infinity }
        let stub = StubTransport { _ in throw Odd() }
        let transport = stub.retrying(policy)
        await #expect(throws: Odd.self) { try await transport.roundTrip(url: url) }
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: [CancellationError(), URLError(.cancelled)] as [any Error])
    func theClosureIsNotAskedAboutWhatWasCancelled(error: any Error) async throws {
        var policy = RetryPolicy()
        policy.decide = { _, _, _ in 0 }
        let stub = StubTransport { _ in throw error }
        let transport = stub.retrying(policy)
        await #expect(throws: (any Error).self) { try await transport.roundTrip(url: url) }
        #expect(stub.requests.count == 1)
    }

    // With attempts to spare for each call, and none for all of them.
    @Test func theBudgetIsOneForAllCalls() async throws {
        var policy = RetryPolicy(attempts: 4, delay: 0)
        policy.budget = RetryBudget(capacity: 5, perRequest: 0)
        let stub = StubTransport { _ in .status(503) }
        let (one, other) = (stub.retrying(policy), stub.standard().retrying(policy))
        for (transport, sent) in [(one, 4), (other, 7), (one, 8)] as [(any HTTPTransport, Int)] {
            #expect(try await transport.roundTrip(url: url).status == 503)
            #expect(stub.requests.count == sent)
        }
    }

    @Test func whatNeverLeftCostsNothing() async throws {
        var policy = RetryPolicy(attempts: 9, delay: 0)
        policy.budget = RetryBudget(capacity: 1, perRequest: 0)
        let stub = StubTransport { _ in throw URLError(.notConnectedToInternet) }
        let transport = stub.retrying(policy)
        await #expect(throws: URLError.self) { try await transport.roundTrip(url: url) }
        #expect(stub.requests.count == 9)
    }

    @Test func attemptsAndWaitsAreInTheMetrics() async throws {
        var policy = RetryPolicy(delay: 0)
        policy.decide = { _, _, wait in wait.map { _ in 0.001 } }
        let left = Locked([StubTransport.Answer.status(503), .status(500), .json("1")])
        let stub = StubTransport { _ in left.withLock { $0.removeFirst() } }
        let response = try await stub.retrying(policy).roundTrip(url: url)
        #expect(try await response.data() == Data("1".utf8))
        #expect(response.metrics?.attempts == 3)
        #expect(response.metrics?.waited == 0.002)
    }

    @Test func aStackInAStackDoesNotMultiplyTheAttempts() async throws {
        let stub = StubTransport { _ in .status(503) }
        let transport = Passing(base: stub.standard()).standard().retrying(RetryPolicy(delay: 0))
        #expect(try await transport.roundTrip(url: url).status == 503)
        #expect(stub.requests.count == 3)
    }
}

/// A transport of an app's own, which layers can't look into.
struct Passing: HTTPTransport {
    let base: any HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await base.send(request)
    }
}
