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
struct TimeoutTransportInternalTests {
    private func request(total: TimeInterval?, attempts: Int = 9) -> HTTPRequest {
        var request = HTTPRequest(URLRequest(url: URL(string: "http://h.net/")!))
        request.options.totalTimeout = total
        request.options.attempts = attempts
        return request
    }

    @Test func theTimeBeginsOnceForAllThatIsSent() async throws {
        let base = AnswersInTurn([
            AnswersInTurn.status(302, ["Location": "/x"]), AnswersInTurn.status(503),
            AnswersInTurn.status(200),
        ])
        let stack = TimeoutTransport(
            base: RedirectTransport(base: RetryTransport(base: base, sleep: { _ in })))
        let before = TransferClock.uptime()
        _ = try await stack.send(request(total: 100))
        let after = TransferClock.uptime()
        let deadlines = Set(base.requests.map(\.options.deadline))
        #expect(base.requests.count == 3)
        try #require(deadlines.count == 1)
        #expect((before + 100...after + 100).contains(try #require(deadlines.first ?? nil)))
    }

    @Test func withoutALimitThereIsNoDeadline() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(200)])
        _ = try await TimeoutTransport(base: base).send(request(total: nil))
        #expect(base.requests.map(\.options.deadline) == [nil])
        #expect(request(total: nil).options.hasTime(for: .infinity, now: 0))
    }

    // A stack in a stack: the outer one's time counts.
    @Test func aDeadlineThatStandsIsKept() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(200)])
        var request = request(total: 100)
        request.options.deadline = 7
        _ = try await TimeoutTransport(base: base).send(request)
        #expect(base.requests.map(\.options.deadline) == [7])
    }

    /// What a retry layer whose every attempt takes 4 seconds gives, and how long it waits.
    private func attempts(
        _ answer: @escaping AnswersInTurn.Answer, deadline: Double
    ) async -> (waits: [TimeInterval], sent: Int, status: Int?, error: URLError.Code?) {
        let (clock, waits) = (Locked(0.0), Locked<[TimeInterval]>([]))
        let base = AnswersInTurn([
            { request in
                clock.withLock { $0 += 4 }
                return try await answer(request)
            }
        ])
        let transport = RetryTransport(
            base: base,
            sleep: { seconds in
                waits.withLock { $0.append(seconds) }
                clock.withLock { $0 += seconds }
            },
            random: { 1 }, uptime: { clock.withLock { $0 } })
        var request = request(total: nil)
        request.options.deadline = deadline
        request.options.retryDelay = 1
        let result: Result<Int, any Error>
        do {
            result = .success(try await transport.send(request).status)
        } catch {
            result = .failure(error)
        }
        var failure: URLError.Code?
        if case .failure(let error) = result { failure = (error as? URLError)?.code }
        return (waits.withLock { $0 }, base.requests.count, try? result.get(), failure)
    }

    @Test func aWaitThatThereIsNoTimeForIsNotBegun() async throws {
        // Ends at 4, 9 and 15: the next attempt would begin at 19.
        let outcome = await attempts(AnswersInTurn.status(500), deadline: 19)
        #expect(outcome.waits == [1, 2])
        #expect(outcome.sent == 3)
        #expect(outcome.status == 500)
        let more = await attempts(AnswersInTurn.status(500), deadline: 19.5)
        #expect(more.sent == 4)
    }

    @Test func aServerThatAsksForMoreThanIsLeftIsNotWaitedFor() async throws {
        let answer = AnswersInTurn.status(503, ["Retry-After": "30"])
        let outcome = await attempts(answer, deadline: 30)
        #expect(outcome.waits == [])
        #expect(outcome.status == 503)
    }

    @Test func anErrorStandsWhenThereIsNoTimeToRepeat() async throws {
        let answer = AnswersInTurn.failure(URLError(.networkConnectionLost))
        let outcome = await attempts(answer, deadline: 5)
        #expect(outcome.sent == 1)
        #expect(outcome.error == .networkConnectionLost)
    }

    @Test func aRedirectIsNotFollowedWhenTheTimeIsUp() async throws {
        let base = AnswersInTurn([AnswersInTurn.status(302, ["Location": "/x"])])
        var request = request(total: nil)
        request.options.deadline = TransferClock.uptime()
        let sent = request
        let error = await #expect(throws: URLError.self) {
            try await RedirectTransport(base: base).send(sent)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.requestMayHaveArrived == true)
        #expect(base.requests.count == 1)
    }
}

/// The limit over what doesn't know of it.
@Suite(.timeLimit(.minutes(5)))
struct TimeoutTransportCutInternalTests {
    private let url = URL(string: "https://h.net/")!

    private func limited(
        _ base: any HTTPTransport, to limit: TimeInterval = 10, _ clock: TestClock
    ) -> TimeoutTransport {
        TimeoutTransport(
            base: base, limit: limit, uptime: { clock.now }, sleep: { try await clock.sleep($0) })
    }

    @Test func whatTakesTooLongIsCancelledAndTimesOut() async throws {
        let (clock, wasCancelled, began, never) = (TestClock(), Locked(false), Gate(), Gate())
        let stub = StubTransport { _ in
            began.open()
            await never.wait()
            wasCancelled.withLock { $0 = Task.isCancelled }
            try Task.checkCancellation()
            return .status(200)
        }
        let transport = limited(stub, clock)
        let task = Task { [url] in try await transport.roundTrip(.get, url) }
        await began.wait()
        #expect(await clock.waitForSleeper(of: 10.1))
        clock.move(by: 10.2)
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .timedOut)
        #expect(error?.requestMayHaveArrived == true)
        #expect(wasCancelled.withLock { $0 })
        #expect(stub.requests.map(\.options.deadline) == [10])
    }

    @Test func theBodyIsCutToo() async throws {
        let clock = TestClock()
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        let dripping = AnswersInTurn([
            { [url] _ in HTTPResponse(status: 200, url: url, body: ResponseBody(chunks)) }
        ])
        let transport = limited(dripping, clock)
        let response = try await transport.roundTrip(.get, url) { $0.collect = nil }
        feed.yield(Data("a".utf8))
        clock.move(by: 9)
        let task = Task { try await response.data() }
        #expect(await clock.waitForSleeper(of: 1.1))
        clock.move(by: 1.2)
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .timedOut)
    }

    // Nobody sleeps on when it is over.
    @Test func whatIsInTimeIsAsItWas() async throws {
        let clock = TestClock()
        let transport = limited(StubTransport { _ in .json("1") }, clock)
        #expect(try await transport.roundTrip(.get, url).data() == Data("1".utf8))
        struct Odd: Error {}
        let failing = limited(StubTransport { _ in throw Odd() }, clock)
        await #expect(throws: Odd.self) { try await failing.roundTrip(.get, url) }
    }

    @Test func cancellingEndsItAtOnce() async throws {
        let (clock, began, never) = (TestClock(), Gate(), Gate())
        let stub = StubTransport { _ in
            began.open()
            await never.wait()
            try Task.checkCancellation()
            return .status(200)
        }
        let transport = limited(stub, clock)
        let task = Task { [url] in try await transport.roundTrip(.get, url) }
        await began.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // A refresh that hangs holds no call longer than its limit, and goes on for the others.
    @Test func itCoversTheRefreshOfAToken() async throws {
        let (clock, began, gate) = (TestClock(), Gate(), Gate())
        let source = TokenSource(for: url) { _ in
            began.open()
            await gate.wait()
            return BearerToken("new")
        }
        let stub = StubTransport { _ in .status(200) }
        let transport = limited(stub.authenticating(with: source), clock)
        let task = Task { [url] in try await transport.roundTrip(.get, url) }
        await began.wait()
        #expect(await clock.waitForSleeper(of: 10.1))
        clock.move(by: 11)
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .timedOut)
        #expect(stub.requests.isEmpty)
        gate.open()
        #expect(try await transport.roundTrip(.get, url).status == 200)
    }

    @Test(
        arguments: [
            // The layer's limit, the request's, a deadline that stands; what counts.
            (10, nil, nil, 10), (10, 5, nil, 5), (5, 10, nil, 5), (10, nil, 3, 3), (3, nil, 10, 3),
            (.infinity, 5, nil, 5), (.infinity, 5, 9, 9), (.infinity, nil, nil, nil),
            (.nan, nil, nil, nil),
        ] as [(TimeInterval, TimeInterval?, TimeInterval?, TimeInterval?)]
    )
    func theShortestLimitCounts(
        limit: TimeInterval, asked: TimeInterval?, standing: TimeInterval?, deadline: TimeInterval?
    ) async throws {
        let stub = StubTransport { _ in .status(200) }
        _ = try await limited(stub, to: limit, TestClock()).roundTrip(.get, url) {
            ($0.totalTimeout, $0.deadline) = (asked, standing)
        }
        #expect(stub.requests.map(\.options.deadline) == [deadline])
    }

    @Test func theVerbIsTheOutermostLayer() async throws {
        let stub = StubTransport { _ in .status(200) }
        let before = TransferClock.uptime()
        _ = try await stub.standard().timingOut(after: 100).roundTrip(.get, url)
        let deadline = try #require(stub.requests.first?.options.deadline)
        #expect((before + 100...TransferClock.uptime() + 100).contains(deadline))
    }
}
