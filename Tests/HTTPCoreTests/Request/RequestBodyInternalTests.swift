// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RequestBodyInternalTests {
    private struct Chunks: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            var rest: [String]

            mutating func next() async -> Data? {
                rest.isEmpty ? nil : Data(rest.removeFirst().utf8)
            }
        }

        let chunks: [String]

        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks) }
    }

    private func bytes(of body: RequestBody) async throws -> Data {
        guard case .stream(let stream) = body else { return Data() }
        var all = Data()
        try await stream.read { all += $0 }
        return all
    }

    @Test func onlyKnownEmptinessIsEmpty() {
        #expect(RequestBody.empty.isEmpty)
        #expect(RequestBody.data(Data()).isEmpty)
        #expect(!RequestBody.data(Data([0])).isEmpty)
        #expect(!RequestBody.file(URL(fileURLWithPath: "f")).isEmpty)
        #expect(!RequestBody.stream(Chunks(chunks: [])).isEmpty)
    }

    // O-40: a retry or a redirect sends the same bytes.
    @Test func aSequenceIsReadFromItsStartEachTime() async throws {
        let body = RequestBody.stream(Chunks(chunks: ["ab", "", "c"]), length: 3)
        guard case .stream(let stream) = body else { return }
        #expect(stream.length == 3)
        #expect(try await bytes(of: body) == Data("abc".utf8))
        #expect(try await bytes(of: body) == Data("abc".utf8))
    }

    @Test func aReceiversErrorEndsTheReading() async {
        struct Enough: Error {}
        guard case .stream(let stream) = RequestBody.stream(Chunks(chunks: ["a", "b"])) else {
            return
        }
        #expect(stream.length == nil)
        await #expect(throws: Enough.self) {
            try await stream.read { _ in throw Enough() }
        }
    }

    // O-40: never an empty body the second time.
    @Test func anInputStreamIsReadOnceAndThenRefused() async throws {
        let content = Data((0..<200_000).map { UInt8($0 % 251) })
        var urlRequest = URLRequest(url: URL(string: "http://h")!)
        urlRequest.httpMethod = "PUT"
        urlRequest.httpBodyStream = InputStream(data: content)
        let body = HTTPRequest(urlRequest).body
        #expect(try await bytes(of: body) == content)
        let error = await #expect(throws: URLError.self) { try await bytes(of: body) }
        #expect(error?.code == .requestBodyStreamExhausted)
    }
}
