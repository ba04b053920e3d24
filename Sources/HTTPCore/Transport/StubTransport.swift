// SPDX-License-Identifier: MIT

public import Foundation

/// Answers by itself, for an app's tests: no network, no `URLProtocol`.
///
/// ```swift
/// let stub = StubTransport([
///     "GET /users/7": .json(#"{"id": 7, "name": "Ada"}"#),
///     "POST /users": .status(201),
/// ])
/// let api = API(transport: stub)
/// let user: User = try await api.request(url: "https://host/users/7", method: .get)
/// assert(user.name == "Ada" && stub.requests.count == 1)
/// ```
///
/// An endpoint's `load(on:)` takes it too. Everything above the network is real: wrap it in `standard(cookies:)`, and
/// redirects, cookies and repeats are tried too. It refuses what can't be sent, collects and streams as a terminal does.
public final class StubTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) async throws -> Answer
    private let seen = Locked<[HTTPRequest]>([])

    /// Creates a stub that asks a closure about each request.
    ///
    /// - Parameter answer: Called with the body read: `.data`, whatever it was. It may wait, for a test's clock or
    ///   anything else, and what it throws is the failure of the request.
    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> Answer) {
        self.answer = answer
    }

    /// Creates a stub with a table of answers.
    ///
    /// - Parameter answers: For a method and a path as it stands in a URL, without its query, such as `GET /users`.
    ///   A request that has none fails with a `URLError` that names it.
    public convenience init(_ answers: [String: Answer]) {
        self.init { request in
            let url = request.urlRequest.url?.absoluteString ?? ""
            let path = URLComponents(string: url)?.percentEncodedPath ?? ""
            let name = "\(request.method) \(path.isEmpty ? "/" : path)"
            guard let answer = answers[name] else {
                throw URLError(.resourceUnavailable, saying: "The stub has no answer to \(name).")
            }
            return answer
        }
    }

    /// What was asked so far, in order, each body read.
    public var requests: [HTTPRequest] { seen.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let (url, _) = try RequestValidation.check(request)
        let sent = try await URLSessionBody(request.body, takesFiles: false)
        var asked = request
        asked.body = sent.data.map { .data($0) } ?? .empty
        seen.withLock { $0.append(asked) }
        let answer = try await answer(asked)
        try Task.checkCancellation()
        var metrics = HTTPMetrics()
        (metrics.attempts, metrics.bodyBytesSent) = (request.options.attempt, sent.length)
        let response = try answer.make(url, metrics)
        let progress = UploadReporter(of: request, bytesInAll: sent.length)
        await withCheckedContinuation { done in progress.finish(isWhole: true) { done.resume() } }
        return try await response.collected(for: request)
    }

    /// What a stub answers.
    public struct Answer: Sendable {
        let make: @Sendable (URL, HTTPMetrics) throws -> HTTPResponse

        /// A status and a body.
        public static func status(
            _ status: Int, headers: HTTPFields = [:], body: Data = Data()
        ) -> Answer {
            .chunks([body], status: status, headers: headers)
        }

        /// JSON.
        public static func json(_ text: String, status: Int = 200) -> Answer {
            .status(status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
        }

        /// No answer, but an error of `send`, such as `URLError(.notConnectedToInternet)`.
        public static func failure(_ error: any Error) -> Answer { Answer { _, _ in throw error } }

        /// A body that comes in pieces, may wait and may break off.
        ///
        /// - Parameters:
        ///   - chunks: Its pieces.
        ///   - pausing: Waited for before each, and before the end, such as a test's clock.
        ///   - failure: What cuts it after them, such as `URLError(.networkConnectionLost)`.
        ///   - status: The status.
        ///   - headers: The header fields.
        /// - Returns: An answer that can be given any number of times.
        public static func chunks(
            _ chunks: [Data],
            pausing: @escaping @Sendable () async throws -> Void = { try Task.checkCancellation() },
            thenFailing failure: (any Error)? = nil, status: Int = 200, headers: HTTPFields = [:]
        ) -> Answer {
            Answer { url, metrics in
                let rest = Locked(chunks[...])
                let body = ResponseBody {
                    try await pausing()
                    return try rest.withLock { $0.popFirst() } ?? failure.map { throw $0 }
                } metrics: {
                    var metrics = metrics
                    metrics.bodyBytesReceived = chunks.reduce(0) { $0 + Int64($1.count) }
                    return failure == nil && rest.withLock { $0.isEmpty } ? metrics : nil
                }
                return HTTPResponse(status: status, headers: headers, url: url, body: body)
            }
        }
    }
}
