// SPDX-License-Identifier: MIT

public import Foundation

/// Answers by itself, for an app's tests: no network, no `URLProtocol`.
///
/// ```swift
/// let stub = StubTransport([
///     "GET /users/7": .json(#"{"name": "Ada"}"#),
///     "POST /users": .status(201),
/// ])
/// let api = API(transport: stub)
/// let user: User = try await api.request(url: "https://host/users/7", method: .get)
/// assert(user.name == "Ada" && stub.requests.count == 1)
/// ```
///
/// Everything above the network is real: wrap it in `standard(cookies:)`, and redirects, cookies and repeats are
/// tried too. It refuses what can't be sent, collects and streams as a terminal does.
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
    /// - Parameter answers: For a method and a path, such as `GET /users`; with `?` and a query, for that one
    ///   alone. A request that has none fails with a `URLError` that names it.
    public convenience init(_ answers: [String: Answer]) {
        self.init { request in
            let parts = URLComponents(string: request.urlRequest.url?.absoluteString ?? "")
            let path = parts?.percentEncodedPath ?? ""
            let name = "\(request.method) \(path.isEmpty ? "/" : path)"
            let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
            guard let answer = answers[name + query] ?? answers[name] else {
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
        request.onUploadProgress?(.init(bytesSent: sent.length, bytesInAll: sent.length))
        let answer = try await answer(asked)
        try Task.checkCancellation()
        var metrics = HTTPMetrics()
        (metrics.attempts, metrics.bodyBytesSent) = (request.options.attempt, sent.length)
        let response = HTTPResponse(
            status: answer.status, headers: answer.headers, url: url, body: try answer.body(metrics)
        )
        return try await response.collected(for: request)
    }

    /// What a stub answers.
    public struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let body: @Sendable (HTTPMetrics) throws -> ResponseBody

        /// A status, and a body that is there at once.
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
        public static func failure(_ error: any Error) -> Answer {
            Answer(status: 0, headers: [:]) { _ in throw error }
        }

        /// A body that comes in pieces, and may break off.
        ///
        /// - Parameters:
        ///   - chunks: Its pieces.
        ///   - failure: What cuts it after them, such as `URLError(.networkConnectionLost)`.
        ///   - status: The status.
        ///   - headers: The header fields.
        /// - Returns: An answer that can be given any number of times.
        public static func chunks(
            _ chunks: [Data], thenFailing failure: (any Error)? = nil, status: Int = 200,
            headers: HTTPFields = [:]
        ) -> Answer {
            Answer(status: status, headers: headers) { metrics in
                // Nil at the end.
                let rest = Locked(Optional(chunks[...]))
                return ResponseBody(
                    next: {
                        try Task.checkCancellation()
                        if let chunk = rest.withLock({ $0?.popFirst() }) { return chunk }
                        if let failure { throw failure }
                        rest.withLock { $0 = nil }
                        return nil
                    }, metrics: { rest.withLock { $0 } == nil ? metrics : nil }, cancel: {})
            }
        }

        /// A body that a sequence gives, such as one that waits for a test's clock.
        public static func stream<S: AsyncSequence & Sendable>(
            _ chunks: S, status: Int = 200, headers: HTTPFields = [:]
        ) -> Answer where S.Element == Data {
            Answer(status: status, headers: headers) { _ in ResponseBody(chunks) }
        }
    }
}
