// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import Observation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StatefulEndpointObservationTests {
    private let transport = HandTransport()
    private let shared: StatefulEndpoint<Int>
    private let log = StateLog()

    init() {
        shared = StatefulEndpoint(endpoint: .number(), transport: transport)
    }

    /// Reads as a view does, and reads again with each word of a change.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Sendable private func draw() {
        withObservationTracking {
            let snapshot = shared.snapshot
            log.add("\(snapshot.value ?? 0) \(snapshot.isLoading)")
        } onChange: {
            draw()
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func aReaderIsToldOfEachChangeAndThenReadsTheNewState() async {
        let observable: any Observable = shared
        _ = observable
        draw()
        shared.load()
        transport.set(1, .answer(1))
        _ = await log.wait(3)
        shared.update { $0 = 5 }
        #expect(log.all == ["0 false", "0 true", "1 false", "5 false"])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func theStateIsTrackedToo() {
        withObservationTracking {
            log.add(shared.state)
        } onChange: {
            log.add(shared.state)
        }
        shared.load()
        shared.clear()
        #expect(log.all == ["empty", "loading"])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func noNewsIsNotTold() async {
        transport.set(1, .answer(1))
        await shared.reload()
        draw()
        shared.loadIfNeeded()
        #expect(log.all == ["1 false"])
    }

    // Not stale in the end, where a change comes while it draws. As SwiftUI does, it draws on one queue, once for all that changed.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func aReaderOnAnotherThreadEndsWithTheLastState() async {
        transport.set(1, .answer(0))
        await shared.reload()
        let screen = DispatchQueue(label: "screen")
        let isDue = Locked(false)
        @Sendable func drawSoon() {
            guard !isDue.withLock({ exchange(&$0, true) }) else { return }
            screen.async {
                isDue.withLock { $0 = false }
                withObservationTracking {
                    _ = log.add("\(shared.snapshot.value ?? -1)")
                } onChange: {
                    drawSoon()
                }
            }
        }
        drawSoon()
        await withTaskGroup { group in
            for number in 1...100 { group.addTask { shared.update { $0 = number } } }
        }
        shared.update { $0 = 1_000 }
        screen.sync {}
        #expect(log.all.last == "1000")
    }
}
