// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that gives the nth answer to the nth request; the last answer repeats.
final class AnswersInTurn: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private let answers: [Answer]
    private let seen = Locked<[HTTPRequest]>([])

    init(_ answers: [Answer]) {
        self.answers = answers
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let count = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        return try await answers[min(count, answers.count) - 1](request)
    }

    static func status(_ status: Int, _ headers: HTTPFields = [:], body: String = "") -> Answer {
        { request in
            HTTPResponse(
                status: status,
                headers: headers,
                url: request.urlRequest.url!,
                body: ResponseBody(Data(body.utf8))
            )
        }
    }

    static func failure(_ error: any Error) -> Answer {
        { _ in throw error }
    }
}

/// Chunks that can be iterated again and again.
struct Chunks: AsyncSequence, Sendable {
    let chunks: [Data]

    init(_ texts: String...) {
        chunks = texts.map { Data($0.utf8) }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: chunks[...])
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>

        mutating func next() async throws -> Data? {
            rest.popFirst()
        }
    }
}
