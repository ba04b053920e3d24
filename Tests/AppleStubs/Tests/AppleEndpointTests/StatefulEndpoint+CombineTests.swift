// SPDX-License-Identifier: MIT

import Combine
import Foundation
import FoundationNetworking
import HTTPEndpoints
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct StatefulEndpointCombineTests {
    private let desk = Desk()
    private let shared: StatefulEndpoint<String>

    init() {
        shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
    }

    @Test func eachStateComesInOrderFromThePresentOneOn() async {
        let lines = Locked<[String]>([])
        let cancellable = shared.publisher.sink { state in lines.withLock { $0.append("\(state)") }
        }
        desk.answer("/a", .text("one"))
        await until { lines.withLock { $0.count } == 2 }
        shared.clear()
        #expect(lines.withLock { $0 } == ["loading", "success(String)", "empty"])
        cancellable.cancel()
        shared.load()
        #expect(lines.withLock { $0.count } == 3)
    }

    @Test func manySubscribersCostOneRequest() async {
        let count = Locked(0)
        let cancellables = (0..<10).map { _ in
            shared.publisher.sink { state in
                if case .success = state { count.withLock { $0 += 1 } }
            }
        }
        desk.answer("/a", .text("one"))
        await until { count.withLock { $0 } == 10 }
        #expect(desk.sent == ["/a"])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test func theSubscriptionKeepsTheEndpointUntilItIsCancelled() async {
        var own: StatefulEndpoint<String>? = StatefulEndpoint(
            endpoint: desk.endpoint("/b"), transport: desk)
        weak let gone = own
        let count = Locked(0)
        let cancellable = own?.publisher.sink { _ in count.withLock { $0 += 1 } }
        own = nil
        desk.answer("/b", .text("one"))
        await until { count.withLock { $0 } == 2 }
        #expect(gone != nil)
        cancellable?.cancel()
        await until { gone == nil }
    }
}
