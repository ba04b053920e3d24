// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StatefulEndpointTests {
    private let transport = HandTransport()

    private func make() -> StatefulEndpoint<Int> {
        StatefulEndpoint(endpoint: .number(), transport: transport)
    }

    /// Waits until no load is under way.
    private func settled(_ shared: StatefulEndpoint<Int>) async -> String {
        for await state in shared.states {
            if case .loading = state { continue }
            return "\(state)"
        }
        return "ended"
    }

    @Test func itIsLoadedOverARealTransport() async throws {
        let server = try LoopbackServer(script: [.text("7"), .text("gone", status: 410)])
        let shared = StatefulEndpoint(
            endpoint: .number(server.url("/")), transport: standardStack())
        #expect("\(shared.state)" == "empty")
        await shared.reload()
        #expect(shared.snapshot.value == 7)
        await shared.reload()
        #expect((shared.snapshot.error as? HTTPStatusError)?.body == Data("gone".utf8))
        #expect(shared.snapshot.value == 7)
        #expect(server.requests.count == 2)
    }

    @Test func itIsLoadingAsSoonAsLoadReturns() async {
        let shared = make()
        shared.load()
        #expect("\(shared.state)" == "loading")
        #expect(shared.snapshot.isLoading)
        transport.set(1, .answer(1))
        #expect(await settled(shared) == "success(Int)")
    }

    @Test func aFailureIsAStateAndItsTextHasTheError() async {
        let shared = make()
        transport.set(1, .fail(URLError(.timedOut)))
        await shared.reload()
        guard case .failure(let error) = shared.state else {
            Issue.record("\(shared.state)")
            return
        }
        #expect((error as? URLError)?.code == .timedOut)
        #expect("\(shared.state)" == "failure(\(error))")
    }

    // The value stays on screen while it reloads, and when that fails.
    @Test func valueLoadAndErrorStandSideBySide() async {
        let shared = make()
        transport.set(1, .answer(1))
        await shared.reload()
        let loadedAt = shared.snapshot.loadedAt
        #expect(loadedAt != nil)
        shared.load()
        #expect(shared.snapshot.value == 1)
        #expect(shared.snapshot.isLoading)
        transport.set(2, .status(500))
        #expect(await settled(shared).hasPrefix("failure("))
        #expect(shared.snapshot.value == 1)
        #expect((shared.snapshot.error as? HTTPStatusError)?.status == 500)
        #expect(shared.snapshot.loadedAt == loadedAt)
        shared.load()
        #expect(shared.snapshot.error != nil)
        transport.set(3, .answer(3))
        #expect(await settled(shared) == "success(Int)")
        #expect(shared.snapshot.value == 3)
        #expect(shared.snapshot.error == nil)
    }

    @Test func loadIfNeededLoadsInEmptyAndInFailureOnly() async {
        let shared = make()
        shared.loadIfNeeded()
        shared.loadIfNeeded()
        transport.set(1, .status(500))
        #expect(await settled(shared).hasPrefix("failure"))
        #expect(transport.sent == 1)
        shared.loadIfNeeded()
        transport.set(2, .answer(2))
        #expect(await settled(shared) == "success(Int)")
        shared.loadIfNeeded()
        #expect("\(shared.state)" == "success(Int)")
        #expect(transport.sent == 2)
    }

    @Test func loadIfNeededLoadsAfterAFailureWhoseSuccessorWasCancelled() async {
        let shared = make()
        transport.set(1, .answer(1))
        await shared.reload()
        transport.set(2, .status(500))
        await shared.reload()
        shared.load()
        if case .loading(let task) = shared.state { task.cancel() }
        #expect("\(shared.state)" == "success(Int)")
        shared.loadIfNeeded()
        #expect("\(shared.state)" == "loading")
        transport.setRest(.answer(4))
        #expect(await settled(shared) == "success(Int)")
        #expect(shared.snapshot.value == 4)
    }

    @Test func loadIfNeededLoadsWhatIsTooOld() async {
        let shared = make()
        transport.set(1, .answer(1))
        await shared.reload()
        shared.loadIfNeeded(maxAge: 3_600)
        #expect("\(shared.state)" == "success(Int)")
        shared.loadIfNeeded(maxAge: -1)
        #expect("\(shared.state)" == "loading")
        #expect(shared.snapshot.value == 1)
        transport.set(2, .answer(2))
        #expect(await settled(shared) == "success(Int)")
    }

    // O-46
    @Test func aSlowOldResponseDoesNotOverwriteANewerOne() async throws {
        let (slow, log, owner) = (Gate(), StateLog(), Owner())
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return .text("2") }
            return LoopbackServer.Answer([.wait(slow)] + LoopbackServer.Answer.text("1").steps)
        }
        let shared = StatefulEndpoint(
            endpoint: .number(server.url("/")), transport: standardStack())
        shared.load()
        #expect(await server.waitForRequests(1))
        shared.observe(owner: owner) { log.add($0) }
        await shared.reload()
        slow.open()
        // The old transfer has been hung up, so its answer is on no wire.
        #expect(await server.waitForOpenConnections(1))
        #expect(await log.wait(3) == ["loading", "loading", "2"])
        #expect(shared.snapshot.value == 2)
        #expect(!shared.snapshot.isLoading)
    }

    // O-46, over a transport that does not care for cancellation.
    @Test func anOldAnswerThatComesAllTheSameIsDropped() async {
        let careless = HandTransport(ignoresCancellation: true)
        let shared = StatefulEndpoint(endpoint: .number(), transport: careless)
        let (log, owner) = (StateLog(), Owner())
        shared.load()
        await careless.wait(sent: 1)
        shared.observe(owner: owner) { log.add($0) }
        async let new: Void = shared.reload()
        await careless.wait(sent: 2)
        careless.set(2, .answer(2))
        await new
        careless.set(1, .answer(1))
        await MainActor.run {}
        for _ in 0..<1_000 { await Task.yield() }
        #expect(await log.wait(3) == ["loading", "loading", "2"])
        #expect(shared.snapshot.value == 2)
    }

    @Test func theOlderLoadIsCancelled() async {
        let shared = make()
        shared.load()
        guard case .loading(let old) = shared.state else { return }
        await transport.wait(sent: 1)
        shared.load()
        #expect(old.isCancelled)
        #expect("\(shared.state)" == "loading")
        transport.set(2, .answer(2))
        #expect(await settled(shared) == "success(Int)")
        await transport.wait(cancelled: 1)
    }

    @Test func clearCancelsAndForgets() async {
        let shared = make()
        transport.set(1, .answer(1))
        await shared.reload()
        shared.load()
        await transport.wait(sent: 2)
        shared.clear()
        #expect("\(shared.state)" == "empty")
        #expect(shared.snapshot.value == nil)
        await transport.wait(cancelled: 1)
        #expect("\(shared.state)" == "empty")
    }

    // TinyHTTP shows `failure(cancelled)`.
    @Test func aLoadThatIsCancelledByItsTaskIsNoFailure() async {
        let shared = make()
        let (log, owner) = (StateLog(), Owner())
        shared.observe(owner: owner, observeCurrent: false) { log.add($0) }
        guard case .loading(let first) = shared.state else {
            Issue.record("\(shared.state)")
            return
        }
        first.cancel()
        #expect("\(shared.state)" == "empty")
        transport.setRest(.answer(1))
        await shared.reload()
        shared.load()
        if case .loading(let second) = shared.state { second.cancel() }
        #expect("\(shared.state)" == "success(Int)")
        #expect(await log.wait(6) == ["loading", "empty", "loading", "1", "loading", "1"])
    }

    @Test(arguments: [CancellationError() as any Error, URLError(.cancelled)])
    func aTransportThatGivesUpIsNoFailure(error: any Error) async {
        let shared = make()
        transport.set(1, .fail(error))
        await shared.reload()
        #expect("\(shared.state)" == "empty")
        #expect(shared.snapshot.error == nil)
    }

    @Test func reloadWaitsForItsEnd() async {
        let shared = make()
        transport.set(1, .answer(1))
        await shared.reload()
        #expect("\(shared.state)" == "success(Int)")
        async let reloaded: Void = shared.reload()
        await transport.wait(sent: 2)
        #expect(shared.snapshot.value == 1)
        shared.clear()
        await reloaded
        #expect("\(shared.state)" == "empty")
    }

    @Test func itsLoadEndsWithIt() async {
        var shared: StatefulEndpoint<Int>? = make()
        weak let dropped = shared
        shared?.load()
        await transport.wait(sent: 1)
        shared = nil
        await transport.wait(cancelled: 1)
        #expect(dropped == nil)
    }

    @Test func aSessionsConfigurationCanBeUsed() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [SevenProtocol.self]
        let shared = StatefulEndpoint(
            endpoint: .number(try #require(URL(string: "https://host/"))),
            urlSession: URLSession(configuration: configuration))
        await shared.reload()
        #expect(shared.snapshot.value == 7)
    }

    private final class Caller: Sendable {
        let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
    }

    // An observer's mailbox that kept it released it under the locks later on: the call was a deadlock.
    @Test func aValueThatObserversWereToldOfIsLetGoAndMayCallBackIn() async throws {
        let (log, owner) = (StateLog(), Owner())
        let queue = DispatchQueue(label: "observer")
        let shared = StatefulEndpoint<Caller?>(
            endpoint: .get(URL(fileURLWithPath: "/")) { _, _ in nil }, transport: transport)
        transport.setRest(.answer(1))
        await shared.reload()
        shared.observe(owner: owner, queue: queue, observeCurrent: false) { _ in }
        for count in 1...20 {
            shared.update { value in
                value = Caller { [weak shared] in log.add("\(shared?.state.description ?? "")") }
            }
            shared.update { $0 = nil }
            // A state is told and puts the next one behind what waits.
            for _ in 0..<3 { await withCheckedContinuation { all in queue.async { all.resume() } } }
            try #require(log.all.count == count)
        }
    }

    // The `deinit` of a value, and of what an observer captured, may call back in.
    @Test func whatIsReleasedMayCallBackIn() async {
        let log = StateLog()
        let shared = StatefulEndpoint<Caller?>(
            endpoint: .get(URL(fileURLWithPath: "/")) { _, _ in nil }, transport: transport)
        transport.set(1, .answer(1))
        await shared.reload()
        shared.update { value in
            value = Caller { [weak shared] in log.add("value \(shared?.state.description ?? "")") }
        }
        shared.clear()
        let owner = Owner()
        do {
            let caller = Caller { [weak shared] in
                shared?.clear()
                log.add("observer")
            }
            shared.observe(owner: owner) { _ in withExtendedLifetime(caller) {} }
        }
        shared.removeObservers(owner: owner)
        let lines = await log.wait(2)
        #expect(lines == ["value empty", "observer"])
    }
}

/// Answers every request with 7.
private final class SevenProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("7".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
