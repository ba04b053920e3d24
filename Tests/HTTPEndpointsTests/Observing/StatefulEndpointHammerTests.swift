// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import Testing

/// Everything at once from 64 threads, for the thread sanitizer and the promises that must hold.
///
/// `DUET_HAMMER_SECONDS` makes it longer: `Scripts/soak hammer`.
@Suite(.timeLimit(.minutes(5)))
struct StatefulEndpointHammerTests {
    /// Answers at once, with the number of the request.
    private final class Counter: HTTPTransport {
        let count = Locked(0)

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number.isMultiple(of: 7) { throw URLError(.timedOut) }
            return HTTPResponse(
                status: 200, headers: [:], url: URL(fileURLWithPath: "/"),
                body: ResponseBody(Data("\(number)".utf8)))
        }
    }

    /// Ends each thread after so many rounds, or after the time that was asked for.
    private func isOver(_ round: Int, since start: Date) -> Bool {
        guard let text = ProcessInfo.processInfo.environment["DUET_HAMMER_SECONDS"],
            let seconds = Double(text)
        else { return round == 200 }
        return Date().timeIntervalSince(start) > seconds
    }

    @Test func sixtyFourThreadsFindNoFault() async {
        let shared = StatefulEndpoint(endpoint: .number(), transport: Counter())
        let start = Date()
        let (owner, log) = (Owner(), StateLog())
        let isCalled = Locked(false)
        let misses = Locked(0)
        let fromOutside = DispatchQueue(label: "outside")
        shared.observe(owner: owner, queue: .global()) { state in
            if isCalled.withLock({ exchange(&$0, true) }) { misses.withLock { $0 += 1 } }
            if case .failure(let error) = state, error is CancellationError {
                misses.withLock { $0 += 1 }
            }
            isCalled.withLock { $0 = false }
        }
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for thread in 0..<64 {
                group.enter()
                let body = Thread {
                    var round = 0
                    while !isOver(round, since: start) {
                        round += 1
                        work(thread, shared, fromOutside)
                    }
                    group.leave()
                }
                body.start()
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(misses.withLock { $0 } == 0)
        await shared.reload()
        shared.observe(owner: owner) { log.add($0) }
        #expect(await log.wait(1).count == 1)
    }

    private func work(_ thread: Int, _ shared: StatefulEndpoint<Int>, _ queue: DispatchQueue) {
        switch thread % 8 {
        case 0: shared.load()
        case 1: shared.loadIfNeeded(maxAge: 0)
        case 2: shared.clear()
        case 3:
            let owner = Owner()
            shared.observe(owner: owner, queue: queue) { _ in shared.loadIfNeeded() }
            shared.observe(owner: owner) { _ in _ = shared.snapshot }
            shared.removeObservers(owner: owner)
        case 4: shared.observe(owner: Owner(), queue: .global()) { _ in }
        case 5:
            let change = shared.update { $0 += 1 }
            if Bool.random() { change?.rollBack() }
        case 6: if case .loading(let task) = shared.state { task.cancel() }
        default: _ = (shared.state, shared.snapshot, shared.states)
        }
    }
}
