// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// Prints method, URL, status and time of each call that passes through.
///
/// A typed call has read the whole body when `send` returns, so the time covers all of it.
struct PrintingTransport: HTTPTransport {
    let base: any HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let start = ContinuousClock.now
        do {
            let response = try await base.send(request)
            report(request, "\(response.status)", since: start)
            return response
        } catch {
            report(request, "failed", since: start)
            throw error
        }
    }

    private func report(
        _ request: HTTPRequest,
        _ outcome: String,
        since start: ContinuousClock.Instant
    ) {
        let method = request.urlRequest.httpMethod ?? "GET"
        let url = request.urlRequest.url?.absoluteString ?? "no URL"
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        print(
            "  " + method.padding(toLength: 7, withPad: " ", startingAt: 0)
                + url.padding(toLength: max(url.count, 42), withPad: " ", startingAt: 0)
                + " \(outcome)  " + String(format: "%6.1f ms", time)
        )
    }
}
