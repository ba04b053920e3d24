// SPDX-License-Identifier: MIT

// Transports of your own: one that answers by itself, one that wraps another.

import Foundation
import HTTPActor

struct Teapot: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(status: 418, url: request.urlRequest.url!, body: ResponseBody())
    }
}

struct Stopwatch: HTTPTransport {
    let base: any HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let start = Date()
        let response = try await base.send(request)
        print(request.urlRequest.url!.path, response.status, -start.timeIntervalSinceNow)
        return response
    }
}

let api = API(transport: Stopwatch(base: .default))
try await api.request(url: "https://host/ping", method: .get)

// The same stack as the default one, on a session that you configure.
let configuration = URLSessionConfiguration.ephemeral
configuration.httpAdditionalHeaders = ["User-Agent": "Example/1.0"]
let session = URLSessionTransport(configuration: configuration).standard(cookies: .off)
try await API(transport: session).request(url: "https://host/ping", method: .get)

try await API(transport: Teapot()).request(url: "https://host/coffee", method: .post)
