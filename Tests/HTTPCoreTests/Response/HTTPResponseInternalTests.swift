// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPResponse {
    /// An answer whose body counts the chunks, of ten bytes, that are read of it.
    init(counting read: Locked<Int>, chunks: Int) {
        let body = ResponseBody(
            next: {
                let count = read.withLock { count in
                    count += 1
                    return count
                }
                return count <= chunks ? Data(repeating: 0, count: 10) : nil
            },
            metrics: { HTTPMetrics() }, cancel: {})
        self.init(status: 302, url: URL(string: "http://h.net/")!, body: body)
    }
}

struct HTTPResponseInternalTests {
    private func request(collect: Int?) -> HTTPRequest {
        var request = HTTPRequest(URLRequest(url: URL(string: "http://h.net/")!))
        request.options.collect = collect
        return request
    }

    @Test func theBodyIsReadWhereItIsCollected() async throws {
        let read = Locked(0)
        let answer = HTTPResponse(counting: read, chunks: 3)
        let collected = try await answer.collected(for: request(collect: 30))
        #expect(read.withLock { $0 } == 4)
        #expect(collected.body.whole?.count == 30)
        #expect(collected.metrics != nil)
        // It is there already.
        let again = try await collected.collected(for: request(collect: 0))
        #expect(try await again.data().count == 30)
    }

    @Test func theLimitStays() async throws {
        let answer = HTTPResponse(counting: Locked(0), chunks: 3)
        let error = await #expect(throws: ResponseBodyError.self) {
            try await answer.collected(for: request(collect: 29))
        }
        #expect(error?.kind == .tooLarge(limit: 29))
        #expect(error?.status == 302)
    }

    @Test func aFailureStreamsWhereSuccessesAloneAreCollected() async throws {
        for (status, limit) in [
            (200, 29), (299, 29), (199, nil), (300, nil), (404, nil), (500, nil),
        ] {
            var options = HTTPRequest.Options()
            options.collectSuccess(upTo: 29)
            #expect(options.limit(for: status) == limit)
            options.uncollected = [status]
            #expect(options.limit(for: status) == nil)
        }
        let read = Locked(0)
        var request = request(collect: nil)
        request.options.collectSuccess(upTo: 29)
        let same = try await HTTPResponse(counting: read, chunks: 3).collected(for: request)
        #expect(read.withLock { $0 } == 0)
        #expect(try await same.data().count == 30)
    }

    @Test func whatStreamsGoesOnStreaming() async throws {
        let read = Locked(0)
        let answer = HTTPResponse(counting: read, chunks: 3)
        let same = try await answer.collected(for: request(collect: nil))
        #expect(read.withLock { $0 } == 0)
        #expect(try await same.data().count == 30)
    }
}
