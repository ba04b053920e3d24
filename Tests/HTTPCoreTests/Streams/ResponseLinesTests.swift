// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct ResponseLinesTests {
    private struct Item: Decodable, Equatable { let k: Int }

    private func response(_ chunks: String...) throws -> HTTPResponse {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        for chunk in chunks { continuation.yield(Data(chunk.utf8)) }
        continuation.finish()
        let url = try #require(URL(string: "http://h/p"))
        return HTTPResponse(status: 200, url: url, body: ResponseBody(stream))
    }

    private func all<S: AsyncSequence>(_ elements: S) async throws -> [S.Element] {
        var all: [S.Element] = []
        for try await element in elements { all.append(element) }
        return all
    }

    @Test func linesOfABody() async throws {
        #expect(try await all(response("a\nb", "c\r", "\n\nd").lines) == ["a", "bc", "", "d"])
        #expect(try await all(response().lines) == [])
    }

    @Test func theyEndAndStayEnded() async throws {
        var lines = try response("a").lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        #expect(try await lines.next() == nil)
        #expect(try await lines.next() == nil)
    }

    @Test func theyAreReadOnce() async throws {
        let response = try response("a")
        #expect(try await all(response.lines) == ["a"])
        let error = await #expect(throws: ResponseBodyError.self) { try await all(response.lines) }
        #expect(error?.kind == .alreadyRead)
    }

    @Test func aLineThatIsTooLongIsAnError() async throws {
        let error = await #expect(throws: ResponseBodyError.self) {
            try await all(response("a\n12", "34").lines(upTo: 3))
        }
        #expect(error?.kind == .partTooLarge(limit: 3))
    }

    /// A stream without a line end is not kept in memory.
    @Test func anEndlessLineIsAnError() async throws {
        let chunk = Data(repeating: 0x61, count: 65_536)
        let endless = AsyncStream<Data> { chunk }
        let url = try #require(URL(string: "http://h/p"))
        let response = HTTPResponse(status: 200, url: url, body: ResponseBody(endless))
        let error = await #expect(throws: ResponseBodyError.self) { try await all(response.lines) }
        #expect(error?.kind == .partTooLarge(limit: HTTPResponse.defaultPartLimit))
    }

    @Test func eachLineIsAValue() async throws {
        let items = try response("{\"k\":1}\n{\"k\"", ":2}\r\n\n  \n{\"k\":3}").jsonLines(
            of: Item.self)
        #expect(try await all(items) == [1, 2, 3].map(Item.init))
    }

    @Test func theDecoderOfAValueIsTheCallers() async throws {
        struct Named: Decodable, Equatable { let firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let items = try response(#"{"first_name":"Ada"}"#)
            .jsonLines(of: Named.self, decoder: decoder)
        #expect(try await all(items) == [Named(firstName: "Ada")])
    }

    @Test func aValueThatDoesNotDecodeEndsThem() async throws {
        var items = try response("{\"k\":1}\n{\"k\":\"x\"}\n{\"k\":3}\n")
            .jsonLines(of: Item.self).makeAsyncIterator()
        #expect(try await items.next() == Item(k: 1))
        do {
            _ = try await items.next()
            Issue.record("a text is no number")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.debugDescription.contains("At k:"))
        }
        #expect(try await items.next() == nil)
    }

    @Test func theBodysErrorComesThrough() async throws {
        let url = try #require(URL(string: "http://h/p"))
        let body = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("a\nb".utf8))
            continuation.finish(throwing: URLError(.networkConnectionLost))
        }
        var lines = HTTPResponse(status: 200, url: url, body: ResponseBody(body))
            .lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        await #expect(throws: URLError.self) { try await lines.next() }
    }
}
