// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LocalChangeTests {
    private let transport = HandTransport()
    private let shared: StatefulEndpoint<Int>
    private let log = StateLog()
    private let owner = Owner()

    init() async {
        shared = StatefulEndpoint(endpoint: .number(), transport: transport)
        transport.set(1, .answer(1))
        await shared.reload()
        shared.observe(owner: owner, observeCurrent: false) { [log] in log.add($0) }
    }

    @Test func aChangeIsToldAndSoIsItsRollback() async throws {
        let change = try #require(shared.update { $0 += 10 })
        #expect(shared.snapshot.value == 11)
        change.rollBack()
        change.rollBack()
        #expect(shared.snapshot.value == 1)
        #expect(await log.wait(2) == ["11", "1"])
    }

    @Test func aChangeThatIsDroppedStays() throws {
        let first = try #require(shared.update { $0 += 10 })
        shared.update { $0 += 100 }
        first.rollBack()
        #expect(shared.snapshot.value == 101)
    }

    @Test func aFailedCallTakesItsChangeBack() async {
        let change = shared.update { $0 = 5 }
        do {
            transport.set(2, .status(500))
            _ = try await shared.endpoint.load(on: transport)
        } catch {
            change?.rollBack()
        }
        #expect(shared.snapshot.value == 1)
    }

    @Test func aLoadUnderWayIsGivenUp() async {
        shared.load()
        await transport.wait(sent: 2)
        shared.update { $0 = 5 }
        await transport.wait(cancelled: 1)
        transport.set(2, .answer(2))
        #expect(await log.wait(2) == ["loading", "5"])
        #expect(shared.snapshot.value == 5)
    }

    @Test func theNextValueReplacesIt() async {
        let change = shared.update { $0 = 5 }
        transport.set(2, .answer(2))
        await shared.reload()
        change?.rollBack()
        #expect(shared.snapshot.value == 2)
    }

    @Test func withoutAValueNothingIsChanged() {
        shared.clear()
        #expect(shared.update { $0 = 5 } == nil)
        #expect("\(shared.state)" == "empty")
    }

    @Test func noChangeIsLostBetweenThreads() {
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 { shared.update { $0 += 1 } }
        }
        #expect(shared.snapshot.value == 4_001)
    }

    @Test func aChangeMayReadTheEndpoint() {
        shared.update { [shared] in $0 += shared.snapshot.value ?? 0 }
        #expect(shared.snapshot.value == 2)
    }
}
