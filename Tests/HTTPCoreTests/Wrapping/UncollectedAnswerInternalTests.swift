// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct UncollectedAnswerInternalTests {
    private let url = URL(string: "http://h.net/")!

    private func request(collect: Int?) -> HTTPRequest {
        var request = HTTPRequest(URLRequest(url: url))
        request.options.collect = collect
        return request
    }

    /// An answer whose body counts the chunks that are read of it.
    private func answer(_ read: Locked<Int>, chunks: Int) -> HTTPResponse {
        let body = ResponseBody(
            next: {
                let count = read.withLock { count in
                    count += 1
                    return count
                }
                return count <= chunks ? Data(repeating: 0, count: 10) : nil
            },
            metrics: { HTTPMetrics() }, cancel: {})
        return HTTPResponse(status: 302, url: url, body: body)
    }

    @Test func drainingReadsNoMoreThanItMay() async {
        let read = Locked(0)
        await answer(read, chunks: 1_000_000).drain(upTo: 100)
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

    @Test func theBodyIsReadWhereItIsCollected() async throws {
        let read = Locked(0)
        let collected = try await answer(read, chunks: 3).collected(for: request(collect: 30))
        #expect(read.withLock { $0 } == 4)
        #expect(collected.body.whole?.count == 30)
        #expect(collected.metrics != nil)
        // It is there already.
        let again = try await collected.collected(for: request(collect: 0))
        #expect(try await again.data().count == 30)
    }

    @Test func theLimitStays() async throws {
        let answer = answer(Locked(0), chunks: 3)
        let error = await #expect(throws: ResponseBodyError.self) {
            try await answer.collected(for: request(collect: 29))
        }
        #expect(error?.kind == .tooLarge(limit: 29))
        #expect(error?.status == 302)
    }

    @Test func whatStreamsGoesOnStreaming() async throws {
        let read = Locked(0)
        let same = try await answer(read, chunks: 3).collected(for: request(collect: nil))
        #expect(read.withLock { $0 } == 0)
        #expect(try await same.data().count == 30)
    }
}
