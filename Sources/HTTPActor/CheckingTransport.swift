// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// Makes an error of an answer whose status is no success.
struct CheckingTransport: HTTPTransport {
    let base: any HTTPTransport
    let settings: API.Settings

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await checked(base.send(request))
    }

    /// - Throws: What the API calls a failure, where the body is one; else `HTTPStatusError`.
    func checked(_ response: HTTPResponse) async throws -> HTTPResponse {
        do {
            return try await response.withSuccessStatus()
        } catch let error as HTTPStatusError {
            let own = settings.failure.flatMap {
                try? settings.decoder.decode($0, from: error.body)
            }
            throw own ?? error
        }
    }
}
