// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5)))
struct UncollectedAnswerInternalTests {
    private let url = URL(string: "http://h.net/")!

    @Test func drainingReadsNoMoreThanItMay() async {
        let read = Locked(0)
        await HTTPResponse(counting: read, chunks: 1_000_000).drain(upTo: 100)
        #expect(read.withLock { $0 } == 11)
    }

    // A server that sends a byte now and then keeps every idle limit.
    @Test func drainingWaitsNoLongerThanItMay() async {
        let chunks = AsyncStream<Data> { continuation in continuation.yield(Data([1])) }
        let answer = HTTPResponse(status: 302, url: url, body: ResponseBody(chunks))
        await answer.drain(for: 0.01)
        let error = await #expect(throws: ResponseBodyError.self) { try await answer.data() }
        #expect(error?.kind == .alreadyRead)
    }
}
