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
struct TokenSourceTests {
    private struct Refused: Error {}

    private static let url = URL(string: "https://host/a")!

    /// A transport that answers 401 to the token `old`, and counts what it answers by that.
    private func server(_ refusals: Count = Count()) -> StubTransport {
        StubTransport { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if field == "Bearer old" || field == nil { refusals.add() }
            return field == "Bearer old" || field == nil ? .status(401) : .json("1")
        }
    }

    /// A source whose first token expires when the clock is moved by an hour.
    private func source(
        expiringOn clock: TestClock,
        renew: @escaping @Sendable (BearerToken?) async throws -> BearerToken
    ) -> TokenSource {
        TokenSource(
            for: Self.url,
            startingWith: BearerToken("first", expiry: Date(timeIntervalSince1970: 3_600)),
            now: { Date(timeIntervalSince1970: clock.now) }, renew: renew)
    }

    @Test func anyNumberOf401sCostOneRefresh() async throws {
        let (refreshes, refusals, gate) = (Count(), Count(), Gate())
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { old in
            #expect(old?.value == "old")
            refreshes.add()
            await gate.wait()
            return BearerToken("new")
        }
        let transport = server(refusals).authenticating(with: source)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await transport.roundTrip(url: Self.url).status }
            }
            #expect(await refusals.wait(for: 50))
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.value == 1)
        #expect(source.token == BearerToken("new"))
    }

    // Its 401 comes when the new token is there already.
    @Test func aLate401CostsNoOther() async throws {
        let (refreshes, sent, gate) = (Count(), Count(), Gate())
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { _ in
            refreshes.add()
            return BearerToken("new")
        }
        let stub = StubTransport { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if sent.add() == 1 { await gate.wait() }
            return field == "Bearer old" ? .status(401) : .json("1")
        }
        let transport = stub.authenticating(with: source)
        let late = Task { try await transport.roundTrip(url: Self.url).status }
        #expect(await sent.wait(for: 1))
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        gate.open()
        #expect(try await late.value == 200)
        #expect(refreshes.value == 1)
    }

    @Test func aFailureIsEverybodysAndTheNextRequestTriesAgain() async throws {
        let (refreshes, asked, isOver, gate) = (Count(), Count(), Locked(false), Gate())
        let source = TokenSource(
            for: Self.url, startingWith: BearerToken("old"),
            now: {
                asked.add()
                return Date()
            }
        ) { _ in
            refreshes.add()
            await gate.wait()
            if !isOver.withLock({ $0 }) { throw Refused() }
            return BearerToken("new")
        }
        let transport = server().authenticating(with: source)
        let before = asked.value
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await transport.roundTrip(url: Self.url)
                        return false
                    } catch { return error is Refused }
                }
            }
            // Each asks for a token, and after its 401 for another one.
            #expect(await asked.wait(for: before + 40))
            gate.open()
            for await isRefused in group { #expect(isRefused) }
        }
        // One that has asked may not wait yet, and then asks for a second one.
        let count = refreshes.value
        #expect(count <= 2)
        isOver.withLock { $0 = true }
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        #expect(refreshes.value == count + 1)
    }

    @Test func cancellingOneThatWaitsLeavesTheOthersTheirRefresh() async throws {
        let (refreshes, refusals, gate) = (Count(), Count(), Gate())
        let wasCancelled = Locked(false)
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { _ in
            refreshes.add()
            await gate.wait()
            wasCancelled.withLock { $0 = Task.isCancelled }
            return BearerToken("new")
        }
        let transport = server(refusals).authenticating(with: source)
        // The first is the one that starts it.
        let first = Task { try await transport.roundTrip(url: Self.url).status }
        #expect(await refreshes.wait(for: 1))
        let second = Task { try await transport.roundTrip(url: Self.url).status }
        #expect(await refusals.wait(for: 2))
        first.cancel()
        // At once, though the refresh goes on.
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == 200)
        #expect(refreshes.value == 1)
        #expect(wasCancelled.withLock { $0 } == false)
    }

    @Test func aRefreshGoesOnWhenNobodyWaitsAnyMore() async throws {
        let (began, gate) = (Gate(), Gate())
        let source = TokenSource(for: Self.url) { _ in
            began.open()
            await gate.wait()
            return BearerToken("new")
        }
        let transport = server().authenticating(with: source)
        let only = Task { try await transport.roundTrip(url: Self.url).status }
        await began.wait()
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        gate.open()
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        #expect(source.token?.value == "new")
    }

    @Test(
        arguments: [(0, 0), (3_569, 0), (3_570, 1), (3_600, 1), (9_999, 1)] as [(TimeInterval, Int)]
    )
    func aTokenIsRefreshedHalfAMinuteBeforeItExpires(seconds: TimeInterval, count: Int) async throws
    {
        let (refreshes, refusals, clock) = (Count(), Count(), TestClock())
        let source = source(expiringOn: clock) { _ in
            refreshes.add()
            return BearerToken("new")
        }
        clock.move(by: seconds)
        let response = try await server(refusals).authenticating(with: source)
            .roundTrip(url: Self.url)
        #expect(response.status == 200)
        #expect(refusals.value == 0)
        #expect(refreshes.value == count)
    }

    /// Once it has expired, the failure is that of the request.
    @Test(arguments: [(3_580, false), (3_601, true)] as [(TimeInterval, Bool)])
    func aTokenThatIsStillGoodIsUsedWhereItsRefreshFails(seconds: TimeInterval, fails: Bool)
        async throws
    {
        let clock = TestClock()
        let source = source(expiringOn: clock) { _ in throw Refused() }
        clock.move(by: seconds)
        let transport = server().authenticating(with: source)
        if fails {
            await #expect(throws: Refused.self) { try await transport.roundTrip(url: Self.url) }
        } else {
            #expect(try await transport.roundTrip(url: Self.url).status == 200)
        }
    }

    /// A logout while a refresh is under way, which then fails: the old token is nobody's any more.
    @Test func aTokenThatIsGoneIsNotUsedWhereItsRefreshFails() async throws {
        let (clock, gate, begun) = (TestClock(), Gate(), Count())
        let source = source(expiringOn: clock) { _ in
            begun.add()
            await gate.wait()
            throw Refused()
        }
        clock.move(by: 3_580)
        let transport = server().authenticating(with: source)
        let task = Task { try await transport.roundTrip(url: Self.url) }
        #expect(await begun.wait(for: 1))
        source.token = nil
        gate.open()
        await #expect(throws: Refused.self) { try await task.value }
    }

    // One of 20 seconds is good for ten, and not fetched for each request.
    @Test func aTokenOfAShortLifeIsUsedForHalfOfIt() async throws {
        let refreshes = Count()
        let source = TokenSource(for: Self.url) { _ in
            refreshes.add()
            return BearerToken("new", expiry: Date() + 20)
        }
        let transport = server().authenticating(with: source)
        for _ in 0..<5 { #expect(try await transport.roundTrip(url: Self.url).status == 200) }
        #expect(refreshes.value == 1)
    }

    // A clock that is wrong must not make a loop of it.
    @Test func aNewTokenThatHasExpiredIsSentAllTheSame() async throws {
        let refreshes = Count()
        let source = TokenSource(for: Self.url) { _ in
            refreshes.add()
            return BearerToken("new", expiry: Date() - 100)
        }
        let transport = server().authenticating(with: source)
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        #expect(refreshes.value == 1)
    }

    @Test func aTokenThatIsSetWinsOverARefreshUnderWay() async throws {
        let (began, gate) = (Gate(), Gate())
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { _ in
            began.open()
            await gate.wait()
            return BearerToken("refreshed")
        }
        let transport = server().authenticating(with: source)
        let request = Task { try await transport.roundTrip(url: Self.url).status }
        await began.wait()
        source.token = BearerToken("other user's")
        gate.open()
        #expect(try await request.value == 200)
        #expect(source.token?.value == "other user's")
    }

    // It would wait for itself.
    @Test func whatFetchesATokenMayUseTheSameTransport() async throws {
        let made = Locked<(any HTTPTransport)?>(nil)
        // It holds the source, which holds it.
        defer { made.withLock { $0 = nil } }
        let source = TokenSource(for: Self.url) { _ in
            let transport = try #require(made.withLock { $0 })
            let login = Self.url.appendingRelative("/login")
            let token = try await transport.roundTrip(.post, login).data()
            return BearerToken(String(decoding: token, as: UTF8.self))
        }
        let stub = StubTransport { request in
            request.urlRequest.url?.path == "/login"
                ? .status(200, body: Data("new".utf8)) : .json("1")
        }
        let transport = stub.standard().authenticating(with: source)
        made.withLock { $0 = transport }
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        let fields = stub.requests.map { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        #expect(fields == [nil, "Bearer new"])
    }

    @Test func noDescriptionShowsAToken() {
        let token = BearerToken("s3cret", expiry: Date())
        for text in [
            "\(token)", String(reflecting: token), "\([token])", "\(Optional(token) as Any)",
        ] {
            #expect(!text.contains("s3cret"))
        }
    }
}
