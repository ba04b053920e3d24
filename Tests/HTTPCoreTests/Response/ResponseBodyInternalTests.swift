// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct ResponseBodyInternalTests {
    /// Gives `chunks` chunks of ten bytes.
    private final class Source: Sendable {
        let left: Locked<Int>
        let cancels = Locked(0)
        private let isOver = Locked(false)

        init(chunks: Int) { left = Locked(chunks) }

        var body: ResponseBody {
            ResponseBody(next: next, metrics: { self.metrics }, cancel: cancel)
        }

        @Sendable private func next() async throws -> Data? {
            let isThere = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isThere { return Data(repeating: 0, count: 10) }
            isOver.withLock { $0 = true }
            return nil
        }

        @Sendable private func cancel() { cancels.withLock { $0 += 1 } }

        private var metrics: HTTPMetrics? { isOver.withLock { $0 } ? HTTPMetrics() : nil }
    }

    @Test func droppingTheLastCopyCancels() {
        let source = Source(chunks: 3)
        var body: ResponseBody? = source.body
        var copy = body
        body = nil
        #expect(source.cancels.withLock { $0 } == 0)
        #expect(copy != nil)
        copy = nil
        #expect(source.cancels.withLock { $0 } == 1)
    }

    @Test func anIteratorKeepsTheTransferAlive() async throws {
        let source = Source(chunks: 1)
        var iterator = source.body.makeAsyncIterator()
        #expect(source.cancels.withLock { $0 } == 0)
        #expect(try await iterator.next()?.count == 10)
    }

    @Test func pastTheLimitTheTransferEnds() async {
        let source = Source(chunks: 1_000)
        let body = source.body
        await #expect(throws: ResponseBodyError(.tooLarge(limit: 25))) {
            try await body.data(upTo: 25)
        }
        #expect(source.cancels.withLock { $0 } == 1)
        #expect(source.left.withLock { $0 } == 997)
    }

    @Test func metricsAreThereWhenTheBodyHasEnded() async throws {
        let body = Source(chunks: 2).body
        #expect(body.metrics == nil)
        _ = try await body.data(upTo: 100)
        #expect(body.metrics != nil)
        #expect(ResponseBody(Data(), metrics: HTTPMetrics()).metrics != nil)
        #expect(ResponseBody(Data()).metrics == nil)
    }
}
