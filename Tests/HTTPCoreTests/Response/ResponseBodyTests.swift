// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ResponseBodyTests {
    private struct Broken: Error {}

    private func response(_ body: ResponseBody) -> HTTPResponse {
        HTTPResponse(status: 200, url: URL(string: "http://h/p")!, body: body)
    }

    private func chunks(_ texts: [String]) -> ResponseBody {
        ResponseBody(
            AsyncStream { continuation in
                for text in texts { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            }
        )
    }

    private static let bodies: [@Sendable (ResponseBodyTests) -> ResponseBody] = [
        { _ in ResponseBody(Data("abc".utf8)) }, { $0.chunks(["a", "", "bc"]) },
    ]

    @Test(arguments: bodies)
    func aBodyIsReadWhole(body: (ResponseBodyTests) -> ResponseBody) async throws {
        #expect(try await response(body(self)).data() == Data("abc".utf8))
        #expect(try await response(body(self)).data(upTo: 3) == Data("abc".utf8))
    }

    @Test(arguments: bodies)
    func aBodyIsReadInChunks(body: (ResponseBodyTests) -> ResponseBody) async throws {
        var all = Data()
        for try await chunk in body(self) { all += chunk }
        #expect(all == Data("abc".utf8))
    }

    @Test(arguments: bodies)
    func aSecondReadIsAnError(body: (ResponseBodyTests) -> ResponseBody) async throws {
        let response = response(body(self))
        let copy = response
        _ = try await response.data()
        let error = await #expect(throws: ResponseBodyError.self) { try await copy.data() }
        #expect(error?.kind == .alreadyRead)
        #expect(error?.status == 200)
        let again = await #expect(throws: ResponseBodyError.self) {
            for try await _ in copy.body {}
        }
        #expect(again?.kind == .alreadyRead)
    }

    @Test(arguments: bodies)
    func theFirstReaderKeepsTheBody(body: (ResponseBodyTests) -> ResponseBody) async throws {
        let body = body(self)
        var first = body.makeAsyncIterator()
        var second = body.makeAsyncIterator()
        await #expect(throws: ResponseBodyError.self) { _ = try await second.next() }
        var all = Data()
        while let chunk = try await first.next() { all += chunk }
        #expect(all == Data("abc".utf8))
        #expect(try await first.next() == nil)
    }

    @Test(arguments: bodies)
    func pastTheLimitIsAnError(body: (ResponseBodyTests) -> ResponseBody) async throws {
        let response = response(body(self))
        let error = await #expect(throws: ResponseBodyError.self) {
            try await response.data(upTo: 2)
        }
        #expect(error?.kind == .tooLarge(limit: 2))
        #expect(error?.status == 200)
        #expect(error?.url == response.url)
        #expect(error?.localizedDescription.contains("2 bytes") == true)
    }

    @Test func anEmptyBodyGivesNoChunk() async throws {
        var iterator = ResponseBody().makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await response(ResponseBody()).data(upTo: 0).isEmpty)
        #expect(try await response(chunks([])).data(upTo: 0).isEmpty)
    }

    @Test func whatASequenceThrowsIsTheBodysError() async {
        let body = ResponseBody(
            AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data("a".utf8))
                continuation.finish(throwing: Broken())
            }
        )
        await #expect(throws: Broken.self) { try await response(body).data() }
    }

    @Test func wholeIsThereWithoutReading() async throws {
        let body = ResponseBody(Data("abc".utf8))
        #expect(body.whole == Data("abc".utf8))
        #expect(chunks(["abc"]).whole == nil)
        #expect(try await response(body).data() == Data("abc".utf8))
    }
}
