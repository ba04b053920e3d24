// SPDX-License-Identifier: MIT

import Foundation
public import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that gives the nth answer to the nth request; the last answer repeats.
public final class AnswersInTurn: HTTPTransport {
    public typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private let answers: [Answer]
    private let seen = Locked<[HTTPRequest]>([])

    /// Creates a transport with at least one answer.
    public init(_ answers: [Answer]) {
        self.answers = answers
    }

    /// What was asked so far.
    public var requests: [HTTPRequest] { seen.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let count = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        return try await answers[min(count, answers.count) - 1](request)
    }

    /// An answer with a body that is there at once.
    public static func status(_ status: Int, _ headers: HTTPFields = [:], body: String = "")
        -> Answer
    {
        { request in
            HTTPResponse(
                status: status,
                headers: headers,
                url: request.urlRequest.url!,
                body: ResponseBody(Data(body.utf8))
            )
        }
    }

    /// No answer, but an error.
    public static func failure(_ error: any Error) -> Answer {
        { _ in throw error }
    }
}
