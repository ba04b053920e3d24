// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

struct User: Codable, Equatable, Sendable {
    var id: Int
    var name: String
}

/// A model as a project with default main-actor isolation has it: its conformance belongs there.
@MainActor
struct Profile: @MainActor Codable {
    var name: String
}

/// Keeps the requests that pass, and answers each the same.
final class Recorder: HTTPTransport {
    private let seen = Locked<[HTTPRequest]>([])
    private let status: Int
    private let body: Data

    init(status: Int = 200, body: String = "{}") {
        self.status = status
        self.body = Data(body.utf8)
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return HTTPResponse(
            status: status,
            url: request.urlRequest.url!,
            body: ResponseBody(body)
        )
    }
}
