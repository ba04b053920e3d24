// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StatefulEndpointObservingTests {
    private let transport = HandTransport()
    private let shared: StatefulEndpoint<Int>
    private let log = StateLog()
    private let owner = Owner()

    init() {
        shared = StatefulEndpoint(endpoint: .number(), transport: transport)
    }

    /// Loads that many more times, with the numbers of the requests as values.
    private func reload(_ count: Int = 1) async {
        for _ in 0..<count {
            let next = transport.sent + 1
            transport.set(next, .answer(next))
            await shared.reload()
        }
    }

    @Test func manyObserversCostOneRequest() async throws {
        let server = try LoopbackServer(script: [.text("1")])
        let shared = StatefulEndpoint(
            endpoint: .number(server.url("/")), transport: standardStack())
        let values = StateLog()
        for _ in 0..<50 {
            shared.observe(owner: owner) { state in
                if case .success = state { values.add(state) }
            }
        }
        #expect(await values.wait(50) == [String](repeating: "1", count: 50))
        #expect(server.requests.count == 1)
    }

    @Test func observersAreCalledOnTheMainActorTheFirstTimeToo() async {
        shared.observe(owner: owner) { state in
            MainActor.assertIsolated()
            log.add("\(state) \(MainQueueMark.isHere)")
        }
        transport.set(1, .answer(1))
        #expect(await log.wait(3) == ["empty true", "loading true", "success(Int) true"])
    }

    @Test func observersAreCalledOnTheirQueueTheFirstTimeToo() async {
        let queue = DispatchQueue(label: "observers")
        shared.observe(owner: owner, queue: queue) { state in
            dispatchPrecondition(condition: .onQueue(queue))
            log.add(state)
        }
        transport.set(1, .answer(1))
        #expect(await log.wait(3) == ["empty", "loading", "1"])
    }

    @Test @MainActor func nobodyIsCalledBeforeObserveReturns() async {
        shared.observe(owner: owner) { log.add($0) }
        log.add("returned")
        #expect(await log.wait(2).prefix(2) == ["returned", "empty"])
    }

    @Test func thePresentStateIsLeftOutWhereItIsNotWanted() async {
        await reload()
        shared.observe(owner: owner, observeCurrent: false) { log.add($0) }
        await reload()
        #expect(await log.wait(2) == ["loading", "2"])
    }

    @Test func observingLoadsWhatIsEmptyAndNotWhatHasFailed() async {
        transport.set(1, .status(500))
        await shared.reload()
        shared.observe(owner: owner) { log.add($0) }
        #expect(await log.wait(1) == ["failure"])
        #expect(transport.sent == 1)
        shared.clear()
        shared.observe(owner: Owner(), observeCurrent: false) { _ in }
        #expect("\(shared.state)" == "loading")
        transport.set(2, .answer(2))
        #expect(await log.wait(4) == ["failure", "empty", "loading", "2"])
    }

    @Test func eachStateIsSeenOnceInOrderOnAConcurrentQueueToo() async {
        await reload()
        let isCalled = Locked(false)
        shared.observe(owner: owner, queue: .global(), observeCurrent: false) { state in
            #expect(!isCalled.withLock { exchange(&$0, true) })
            log.add(state)
            isCalled.withLock { $0 = false }
        }
        await reload(200)
        let lines = await log.wait(400)
        #expect(lines.count == 400)
        #expect(lines == (2...201).flatMap { ["loading", "\($0)"] })
    }

    @Test func changesOfManyThreadsComeInOneOrder() async {
        await reload()
        let queue = DispatchQueue(label: "observer")
        shared.observe(owner: owner, queue: queue, observeCurrent: false) { log.add($0) }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 { shared.update { $0 += 1 } }
        }
        #expect(await log.wait(4_000) == (2...4_001).map { "\($0)" })
    }

    @Test @MainActor func nobodyIsCalledOnceRemoved() async {
        await reload()
        shared.observe(owner: owner) { log.add($0) }
        // The call is on its way, but the main actor is ours.
        shared.removeObservers(owner: owner)
        await reload()
        await MainActor.run {}
        #expect(log.all.isEmpty)
    }

    @Test func onlyTheOwnersObserversAreRemoved() async {
        await reload()
        let other = Owner()
        for prefix in ["a", "b"] {
            shared.observe(owner: owner, observeCurrent: false) { log.add($0, prefix) }
        }
        shared.observe(owner: other, observeCurrent: false) { log.add($0, "c") }
        shared.removeObservers(owner: owner)
        await reload()
        #expect(await log.wait(2) == ["cloading", "c2"])
    }

    // A controller is not kept alive by the endpoint that it observes.
    @Test func theOwnerIsNotKeptAliveAndItsObserverIsForgotten() async {
        await reload()
        var screen: Owner? = Owner()
        weak let gone = screen
        weak var captured: Owner?
        do {
            let capture = Owner()
            captured = capture
            shared.observe(owner: screen ?? Owner(), observeCurrent: false) { [weak screen] _ in
                withExtendedLifetime((capture, screen)) { _ = log.add("called") }
            }
        }
        screen = nil
        #expect(gone == nil)
        await reload()
        await MainActor.run {}
        #expect(log.all.isEmpty)
        #expect(captured == nil)
    }

    @Test @MainActor func anOwnerThatGoesWhileItsCallIsOnTheWayIsNotCalled() async {
        await reload()
        var screen: Owner? = Owner()
        shared.observe(owner: screen ?? Owner(), observeCurrent: false) { log.add($0) }
        // The call is on its way, but the main actor is ours.
        shared.update { $0 += 1 }
        screen = nil
        await withCheckedContinuation { all in DispatchQueue.main.async { all.resume() } }
        #expect(log.all.isEmpty)
    }

    @Test func ownersWhoAreGoneDoNotPileUp() async {
        await reload()
        weak var first: Owner?
        for index in 0..<100 {
            let capture = Owner()
            if index == 0 { first = capture }
            shared.observe(owner: Owner(), observeCurrent: false) { _ in
                withExtendedLifetime(capture) {}
            }
        }
        #expect(first == nil)
    }

    // O-47
    @Test @MainActor func anObserverMayRemoveItselfAndAddAnother() async {
        await reload()
        let owners = (0..<4).map { _ in Owner() }
        shared.observe(owner: owners[0], observeCurrent: false) { state in
            log.add(state, "1:")
            shared.removeObservers(owner: owners[0])
            shared.observe(owner: owners[3], observeCurrent: false) { log.add($0, "4:") }
        }
        for index in [1, 2] {
            shared.observe(owner: owners[index], observeCurrent: false) {
                log.add($0, "\(index + 1):")
            }
        }
        shared.clear()
        // Observer 4 loads what is empty, as any new one does.
        transport.set(2, .answer(2))
        let lines = await log.wait(9)
        #expect(lines.prefix(3) == ["1:empty", "2:empty", "3:empty"])
        #expect(lines[3..<6].sorted() == ["2:loading", "3:loading", "4:loading"])
        #expect(lines[6..<9].sorted() == ["2:2", "3:2", "4:2"])
        shared.removeObservers(owner: owners[1])
        #expect(log.all.count == 9)
    }

    @Test func anObserverMayCallBackIn() async {
        shared.observe(owner: owner, observeCurrent: false) { state in
            log.add(state)
            switch state {
            case .empty: shared.loadIfNeeded()
            case .loading: _ = (shared.state, shared.snapshot)
            case .success(1): shared.clear()
            case .success: shared.removeObservers(owner: owner)
            case .failure: shared.load()
            }
        }
        transport.set(1, .status(500))
        transport.set(2, .answer(1))
        transport.set(3, .answer(3))
        #expect(
            await log.wait(7) == ["loading", "failure", "loading", "1", "empty", "loading", "3"])
    }

    @Test func anOwnerMayTakeItsObserversAwayInItsDeinit() async {
        final class Screen: Sendable {
            let shared: StatefulEndpoint<Int>
            init(_ shared: StatefulEndpoint<Int>) { self.shared = shared }
            deinit { shared.removeObservers(owner: self) }
        }
        await reload()
        for _ in 0..<500 {
            let screen = Screen(shared)
            shared.observe(owner: screen, queue: .global()) { [weak screen] _ in _ = screen }
            shared.clear()
        }
        transport.setRest(.answer(1))
        await shared.reload()
        #expect("\(shared.state)" == "success(Int)")
    }

    // MARK: A sequence of states

    @Test func theStatesCanBeAwaited() async {
        transport.set(1, .answer(1))
        for await state in shared.states {
            log.add(state)
            if case .success(1) = state {
                transport.set(2, .answer(2))
                shared.load()
            }
            if case .success(2) = state { break }
        }
        #expect(log.all == ["empty", "loading", "1", "loading", "2"])
    }

    @Test func aSequenceStartsWithThePresentStateAndSkipsNone() async {
        await reload()
        let states = shared.states
        await reload(3)
        for await state in states {
            log.add(state)
            if case .success(4) = state { break }
        }
        #expect(log.all == ["1", "loading", "2", "loading", "3", "loading", "4"])
    }

    @Test func aSequenceEndsWithItsTask() async {
        await reload()
        let task = Task {
            for await state in shared.states { log.add(state) }
            log.add("end")
        }
        _ = await log.wait(1)
        task.cancel()
        await task.value
        await reload()
        #expect(log.all == ["1", "end"])
    }

    @Test func aSequenceKeepsTheEndpointOnlyUntilItIsDropped() async {
        var shared: StatefulEndpoint<Int>? = StatefulEndpoint(
            endpoint: .number(), transport: transport)
        weak let dropped = shared
        var states = shared?.states
        shared = nil
        #expect(dropped != nil)
        withExtendedLifetime(states) {}
        states = nil
        #expect(dropped == nil)
    }
}
