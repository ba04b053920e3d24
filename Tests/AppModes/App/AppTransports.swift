// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

// Transports of the app's own: one that answers, one that wraps another.

struct Stub: HTTPTransport {
    let status: Int
    let json: String

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            url: request.urlRequest.url!,
            body: ResponseBody(Data(json.utf8))
        )
    }
}

struct Signed: HTTPTransport {
    let base: any HTTPTransport
    let key: String

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        try request.urlRequest.setHeader("X-Key", key)
        request.options.secretHeaders = ["X-Key"]
        return try await base.send(request)
    }
}
