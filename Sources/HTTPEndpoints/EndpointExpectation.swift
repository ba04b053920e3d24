// SPDX-License-Identifier: MIT

public import Foundation
internal import HTTPCore

/// What an endpoint usually expects of an answer.
public enum EndpointExpectation {
    /// Accepts the status codes 200 to 299.
    ///
    /// - Throws: ``/HTTPCore/HTTPStatusError`` for any other.
    @Sendable public static func successStatusCode(response: HTTPURLResponse) throws {
        guard (200..<300).contains(response.statusCode) else { throw HTTPStatusError(response) }
    }

    /// Accepts an answer without a body.
    ///
    /// - Throws: ``/HTTPCore/ResponseBodyError`` of kind `notEmpty`.
    @Sendable public static func emptyResponse(_ data: Data?, _ response: HTTPURLResponse) throws {
        guard let data, !data.isEmpty else { return }
        throw ResponseBodyError(
            .notEmpty(count: data.count), status: response.statusCode, url: response.url)
    }

    /// Accepts any body and leaves it unread.
    @Sendable public static func ignoreResponse(_ data: Data?, _ response: HTTPURLResponse) throws {
    }
}
