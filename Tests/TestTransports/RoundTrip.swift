// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPTransport {
    /// Sends a request whose answer is collected, so that every failure is thrown here.
    public func roundTrip(
        _ method: HTTPMethod = .get,
        _ url: URL,
        _ headers: [String: String] = [:],
        body: RequestBody = .empty,
        options change: (inout HTTPRequest.Options) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        var urlRequest = URLRequest(method: method, url: url)
        for (name, value) in headers { try urlRequest.setHeader(name, value) }
        var request = HTTPRequest(urlRequest, body: body)
        request.options.collect = 1 << 20
        change(&request.options)
        return try await send(request)
    }

    /// GETs a URL.
    public func roundTrip(
        url: URL, options change: (inout HTTPRequest.Options) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        try await roundTrip(.get, url, options: change)
    }
}
