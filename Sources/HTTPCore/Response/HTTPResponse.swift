// SPDX-License-Identifier: MIT

public import Foundation

/// The answer to a request: its head, and a body that is read once.
public struct HTTPResponse: Sendable, CustomStringConvertible {
    /// The status code, such as 200 (RFC 9110, section 15).
    public var status: Int
    /// In the order of the wire and with repeats, where the transport sees them.
    public var headers: HTTPFields
    /// The URL that answered, the last one after redirects.
    public var url: URL
    /// The bytes after the head, which can be read once.
    public var body: ResponseBody
    /// Whether a redirect was followed on the way.
    var isRedirected = false

    /// Creates a response, such as a stub's.
    public init(status: Int, headers: HTTPFields = [:], url: URL, body: ResponseBody) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }

    /// The most bytes that ``data(upTo:)`` and typed calls read unless told otherwise: 128 MiB.
    public static let defaultLimit = 128 << 20

    /// Reads the body to its end.
    ///
    /// - Parameter limit: The most bytes to accept.
    /// - Returns: The bytes, their content coding undone.
    /// - Throws: ``ResponseBodyError`` of kind `tooLarge` past the limit, and of kind `alreadyRead` when
    ///   the body was read before; `URLError` when the connection fails or the body is cut;
    ///   `CancellationError`.
    public func data(upTo limit: Int = HTTPResponse.defaultLimit) async throws -> Data {
        do {
            return try await body.data(upTo: limit)
        } catch let error as ResponseBodyError {
            throw ResponseBodyError(error.kind, status: status, url: url)
        }
    }

    /// The answer as its request wants it: with its body read, should that be collected.
    func collected(for request: HTTPRequest) async throws -> HTTPResponse {
        guard body.whole == nil, let limit = request.options.limit(for: status) else { return self }
        var collected = self
        let data = try await data(upTo: limit)
        collected.body = ResponseBody(data, metrics: metrics)
        return collected
    }

    /// Status and URL, without a secret.
    public var description: String { "\(status) \(url.maskingSecrets)" }

    /// Version, timing and bytes; nil until the body has ended.
    public var metrics: HTTPMetrics? { body.metrics }
}

extension HTTPRequest.Options {
    /// Collects the answer if it is a success.
    ///
    /// Of a failure a status error keeps little: however long its body is, that must not hide the status.
    package mutating func collectSuccess(upTo limit: Int) {
        (collect, collectsSuccessesAlone) = (limit, true)
    }

    /// The most bytes to collect of an answer of that status; nil: it streams.
    func limit(for status: Int) -> Int? {
        let isFailure = !(200..<300).contains(status)
        return uncollected.contains(status) || isFailure && collectsSuccessesAlone ? nil : collect
    }
}
