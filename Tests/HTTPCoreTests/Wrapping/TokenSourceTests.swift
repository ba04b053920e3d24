// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct TokenSourceTests {
    private struct Refused: Error {}

    private static let url = URL(string: "https://host/a")!

    /// A transport that answers 401 to the token `old`, and counts what it answers by that.
    private func server(_ refusals: Locked<Int> = Locked(0)) -> StubTransport {
        StubTransport { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if field == "Bearer old" || field == nil { refusals.withLock { $0 += 1 } }
            return field == "Bearer old" || field == nil ? .status(401) : .json("1")
        }
    }

    /// Waits until so many requests wait for the refresh, seen from what they have been refused.
    private func wait(for count: Int, _ refusals: Locked<Int>) async {
        while refusals.withLock({ $0 }) < count { await Task.yield() }
    }

    @Test func anyNumberOf401sCostOneRefresh() async throws {
        let (refreshes, refusals, gate) = (Locked(0), Locked(0), Gate())
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { old in
            #expect(old?.value == "old")
            refreshes.withLock { $0 += 1 }
            await gate.wait()
            return BearerToken("new")
        }
        let transport = server(refusals).authenticating(with: source)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await transport.roundTrip(url: Self.url).status }
            }
            await wait(for: 50, refusals)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(source.token == BearerToken("new"))
    }

    // Its 401 comes when the new token is there already.
    @Test func aLate401CostsNoOther() async throws {
        let (refreshes, gate) = (Locked(0), Gate())
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new")
        }
        let isSlow = Locked(true)
        let stub = StubTransport { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if isSlow.withLock({ exchange(&$0, false) }) { await gate.wait() }
            return field == "Bearer old" ? .status(401) : .json("1")
        }
        let transport = stub.authenticating(with: source)
        let late = Task { try await transport.roundTrip(url: Self.url).status }
        while stub.requests.isEmpty { await Task.yield() }
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        gate.open()
        #expect(try await late.value == 200)
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test func aFailureIsEverybodysAndTheNextRequestTriesAgain() async throws {
        let (refreshes, asked, isOver, gate) = (Locked(0), Locked(0), Locked(false), Gate())
        let source = TokenSource(
            for: Self.url, startingWith: BearerToken("old"),
            now: {
                asked.withLock { $0 += 1 }
                return Date()
            }
        ) { _ in
            refreshes.withLock { $0 += 1 }
            await gate.wait()
            if !isOver.withLock({ $0 }) { throw Refused() }
            return BearerToken("new")
        }
        let transport = server().authenticating(with: source)
        let before = asked.withLock { $0 }
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
            while asked.withLock({ $0 }) < before + 40 { await Task.yield() }
            gate.open()
            for await isRefused in group { #expect(isRefused) }
        }
        // One that has asked may not wait yet, and then asks for a second one.
        let count = refreshes.withLock { $0 }
        #expect(count <= 2)
        isOver.withLock { $0 = true }
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        #expect(refreshes.withLock { $0 } == count + 1)
    }

    @Test func cancellingOneThatWaitsLeavesTheOthersTheirRefresh() async throws {
        let (refreshes, refusals, gate) = (Locked(0), Locked(0), Gate())
        let wasCancelled = Locked(false)
        let source = TokenSource(for: Self.url, startingWith: BearerToken("old")) { _ in
            refreshes.withLock { $0 += 1 }
            await gate.wait()
            wasCancelled.withLock { $0 = Task.isCancelled }
            return BearerToken("new")
        }
        let transport = server(refusals).authenticating(with: source)
        // The first is the one that starts it.
        let first = Task { try await transport.roundTrip(url: Self.url).status }
        while refreshes.withLock({ $0 }) == 0 { await Task.yield() }
        let second = Task { try await transport.roundTrip(url: Self.url).status }
        await wait(for: 2, refusals)
        first.cancel()
        // At once, though the refresh goes on.
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == 200)
        #expect(refreshes.withLock { $0 } == 1)
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
        let (refreshes, refusals, clock) = (Locked(0), Locked(0), TestClock())
        let first = BearerToken("first", expiry: Date(timeIntervalSince1970: 3_600))
        let source = TokenSource(
            for: Self.url, startingWith: first,
            now: { Date(timeIntervalSince1970: clock.now) }
        ) { _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new")
        }
        clock.move(by: seconds)
        let response = try await server(refusals).authenticating(with: source)
            .roundTrip(url: Self.url)
        #expect(response.status == 200)
        #expect(refusals.withLock { $0 } == 0)
        #expect(refreshes.withLock { $0 } == count)
    }

    // One of 20 seconds is good for ten, and not fetched for each request.
    @Test func aTokenOfAShortLifeIsUsedForHalfOfIt() async throws {
        let refreshes = Locked(0)
        let source = TokenSource(for: Self.url) { _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new", expiry: Date() + 20)
        }
        let transport = server().authenticating(with: source)
        for _ in 0..<5 { #expect(try await transport.roundTrip(url: Self.url).status == 200) }
        #expect(refreshes.withLock { $0 } == 1)
    }

    // A clock that is wrong must not make a loop of it.
    @Test func aNewTokenThatHasExpiredIsSentAllTheSame() async throws {
        let refreshes = Locked(0)
        let source = TokenSource(for: Self.url) { _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new", expiry: Date() - 100)
        }
        let transport = server().authenticating(with: source)
        #expect(try await transport.roundTrip(url: Self.url).status == 200)
        #expect(refreshes.withLock { $0 } == 1)
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
