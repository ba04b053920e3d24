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
struct RetryTransportInternalTests {
    private let policy = RetryPolicy()

    private func request(
        _ method: HTTPMethod = .get,
        _ headers: [String: String] = [:],
        attempts: Int = 3
    ) -> HTTPRequest {
        var urlRequest = URLRequest(method: method, url: URL(string: "http://h.net/")!)
        for (name, value) in headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        var request = HTTPRequest(urlRequest)
        request.options.attempts = attempts
        return request
    }

    // What came of the last attempt says nothing about those before it.
    @Test(arguments: [
        (AnswersInTurn.status(503), true),
        (AnswersInTurn.failure(URLError(.cannotConnectToHost)), false),
        (
            AnswersInTurn.failure(URLError(.networkConnectionLost).whereRequestMayHaveArrived()),
            true
        ),
    ])
    func theLastErrorKnowsWhatArrivedBefore(
        first: @escaping AnswersInTurn.Answer,
        mayHaveArrived: Bool
    ) async throws {
        let wire = AnswersInTurn([first, AnswersInTurn.failure(URLError(.cannotConnectToHost))])
        let transport = RetryTransport(base: wire, sleep: { _ in })
        let error = await #expect(throws: URLError.self) {
            try await transport.send(request(.put, attempts: 2))
        }
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.requestMayHaveArrived == mayHaveArrived)
    }

    // RFC 9110, section 9.2.2: what is not idempotent is repeated only where it was not acted on.
    @Test(arguments: [
        // Status, and whether a GET, a POST, a POST answered with Retry-After are repeated.
        (200, false, false, false), (301, false, false, false), (400, false, false, false),
        (401, false, false, false), (404, false, false, false), (408, true, false, false),
        (409, false, false, false), (425, true, true, true), (429, true, true, true),
        (500, true, false, false), (501, false, false, false), (502, true, false, false),
        (503, true, false, true), (504, true, false, false), (505, false, false, false),
    ])
    func theRuleForAStatus(
        status: Int,
        get: Bool,
        post: Bool,
        postWithRetryAfter: Bool
    ) throws {
        let url = try #require(URL(string: "http://h.net/"))
        let bare = HTTPResponse(status: status, url: url, body: ResponseBody())
        var asking = bare
        asking.headers["retry-after"] = "1"
        for method in [HTTPMethod.get, .head, .put, .delete, .options] {
            #expect(policy.repeats(request(method), after: .success(bare)) == get)
            #expect(policy.repeats(request(method), after: .success(asking)) == get)
        }
        for method in [HTTPMethod.post, .patch, HTTPMethod(rawValue: "PURGE")] {
            #expect(policy.repeats(request(method), after: .success(bare)) == post)
            #expect(policy.repeats(request(method), after: .success(asking)) == postWithRetryAfter)
            let keyed = request(method, ["idempotency-key": "1"])
            #expect(policy.repeats(keyed, after: .success(bare)) == get)
        }
    }

    @Test(arguments: [
        (URLError.Code.networkConnectionLost, true), (.timedOut, true),
        (.cannotConnectToHost, true), (.cannotFindHost, true), (.dnsLookupFailed, true),
        (.notConnectedToInternet, true), (.cancelled, false), (.badURL, false),
        (.serverCertificateUntrusted, false), (.secureConnectionFailed, false),
        (.unsupportedURL, false), (.httpTooManyRedirects, false), (.badServerResponse, false),
        (.requestBodyStreamExhausted, false), (.fileDoesNotExist, false),
        (.cannotDecodeContentData, false),
    ])
    func theRuleForAnError(code: URLError.Code, isTransient: Bool) {
        let early = URLError(code)
        let late = early.whereRequestMayHaveArrived()
        #expect(policy.repeats(request(.get), after: .failure(early)) == isTransient)
        #expect(policy.repeats(request(.get), after: .failure(late)) == isTransient)
        #expect(policy.repeats(request(.post), after: .failure(early)) == isTransient)
        #expect(policy.repeats(request(.post), after: .failure(late)) == false)
        let keyed = request(.post, ["Idempotency-Key": "1"])
        #expect(policy.repeats(keyed, after: .failure(late)) == isTransient)
    }

    /// The waits between the attempts of one request.
    private func waits(
        _ answers: [AnswersInTurn.Answer],
        _ request: HTTPRequest,
        random: Double = 1,
        longest: TimeInterval = 60
    ) async throws -> (waits: [TimeInterval], sent: Int, status: Int) {
        let base = AnswersInTurn(answers)
        let waits = Locked<[TimeInterval]>([])
        var policy = policy
        policy.longestDelay = longest
        policy.budget = nil
        let transport = RetryTransport(
            base: base,
            policy: policy,
            sleep: { seconds in waits.withLock { $0.append(seconds) } },
            random: { random },
            now: { Date(timeIntervalSince1970: 784_111_777) }
        )
        let response = try await transport.send(request)
        return (waits.withLock { $0 }, base.requests.count, response.status)
    }

    // O-39: the clock stands at Sun, 06 Nov 1994 08:49:37 GMT.
    @Test(
        arguments: [
            ("30", 30), ("0", 0), ("120", 120), ("120000", 600),
            ("99999999999999999999999999", 600),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
            ("Sun Nov  6 08:50:07 1994", 30), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Sun, 06 Nov 2094 08:50:07 GMT", 600),
            // What is neither is left aside: the back-off is half a second here.
            ("soon", 0.5), ("", 0.5), ("-5", 0.5), ("+5", 0.5), ("nan", 0.5), ("inf", 0.5),
            ("0x10", 0.5),
            ("1e2", 0.5),
        ] as [(String, TimeInterval)]
    )
    func retryAfterIsHonouredInEachFormAndCapped(value: String, wait: TimeInterval) async throws {
        let outcome = try await waits(
            [AnswersInTurn.status(503, ["Retry-After": value]), AnswersInTurn.status(200)],
            request(),
            longest: 600
        )
        #expect(outcome.waits == [wait])
        #expect(outcome.status == 200)
    }

    @Test func retryAfterIsCappedAtAMinuteUnlessToldOtherwise() {
        #expect(policy.longestDelay == 60)
    }

    @Test(
        arguments: [
            (1.0, [0.5, 1, 2, 4, 5, 5]), (0.5, [0.25, 0.5, 1, 2, 2.5, 2.5]),
            (0, [0, 0, 0, 0, 0, 0]),
        ] as [(Double, [TimeInterval])]
    )
    func theBackOffDoublesUpToItsCapAndARandomPartOfItIsWaited(
        random: Double,
        expected: [TimeInterval]
    ) async throws {
        let outcome = try await waits(
            [AnswersInTurn.status(500)],
            request(attempts: 7),
            random: random,
            longest: 5
        )
        #expect(outcome.waits == expected)
        #expect(outcome.sent == 7)
        #expect(outcome.status == 500)
    }

    @Test func theRequestsOwnDelayWins() async throws {
        var request = request()
        request.options.retryDelay = 3
        #expect(try await waits([AnswersInTurn.status(500)], request).waits == [3, 6])
    }

    // No input ever traps: the wait is turned into whole nanoseconds.
    @Test(arguments: [-1, -.infinity, .infinity, .nan, .greatestFiniteMagnitude] as [TimeInterval])
    func aStrangeDelayIsAWaitWithinBounds(delay: TimeInterval) async throws {
        var request = request()
        request.options.retryDelay = delay
        let outcome = try await waits([AnswersInTurn.status(500)], request)
        #expect(outcome.waits.allSatisfy { (0...60).contains($0) })
        #expect(outcome.sent == 3)
    }

    @Test func twoThousandAttemptsWithoutDelayDoNotTrap() async throws {
        var request = request(attempts: 2_000)
        request.options.retryDelay = 0
        let outcome = try await waits([AnswersInTurn.status(500)], request)
        #expect(outcome.sent == 2_000)
        #expect(outcome.waits.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 0, -3])
    func withoutAttemptsToSpareAFailureIsTheResult(attempts: Int) async throws {
        let outcome = try await waits([AnswersInTurn.status(503)], request(attempts: attempts))
        #expect(outcome.sent == 1)
        #expect(outcome.status == 503)
    }

    @Test func theLastErrorIsThrownWhenTheAttemptsAreUsedUp() async throws {
        let base = AnswersInTurn([
            AnswersInTurn.failure(URLError(.networkConnectionLost)),
            AnswersInTurn.failure(URLError(.timedOut)),
        ])
        let transport = RetryTransport(base: base, sleep: { _ in })
        let error = await #expect(throws: URLError.self) {
            try await transport.send(request(attempts: 2))
        }
        #expect(error?.code == .timedOut)
        #expect(base.requests.count == 2)
    }

    @Test func eachAttemptKnowsItsNumber() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(500)])
        _ = try await RetryTransport(base: base, sleep: { _ in }).send(request())
        #expect(base.requests.map(\.options.attempt) == [1, 2, 3])
    }

    // O-42
    @Test func cancellingEndsTheWaitAndNothingMoreIsSent() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(503, ["Retry-After": "2"])])
        let (isWaiting, neverOpens) = (Gate(), Gate())
        let transport = RetryTransport(
            base: base,
            sleep: { _ in
                isWaiting.open()
                await neverOpens.wait()
                try Task.checkCancellation()
            }
        )
        let request = request()
        let task = Task { try await transport.send(request) }
        await isWaiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(base.requests.count == 1)
    }

    @Test func aSleepThatOverlooksTheCancelSendsNothingMoreEither() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(503)])
        let transport = RetryTransport(
            base: base,
            sleep: { _ in withUnsafeCurrentTask { $0?.cancel() } }
        )
        let request = request()
        let task = Task { try await transport.send(request) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(base.requests.count == 1)
    }

    @Test func aCancelledRequestIsNeverRepeated() async throws {
        for error in [CancellationError(), URLError(.cancelled)] as [any Error] {
            let base = AnswersInTurn([AnswersInTurn.failure(error)])
            let transport = RetryTransport(base: base, sleep: { _ in })
            await #expect(throws: (any Error).self) { try await transport.send(request()) }
            #expect(base.requests.count == 1)
        }
    }
}
