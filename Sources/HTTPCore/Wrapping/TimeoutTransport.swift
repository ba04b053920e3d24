// SPDX-License-Identifier: MIT

/// Starts the total limit of a request: outermost, so that it covers all that is sent for it.
///
/// The layers and terminals below keep it, each over its own part: redirects and retry before they send
/// once more, a terminal until the body has ended.
struct TimeoutTransport: HTTPTransport {
    let base: any HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        if let limit = request.options.totalTimeout, request.options.deadline == nil {
            request.options.deadline = TransferClock.uptime() + limit
        }
        return try await base.send(request)
    }
}

extension HTTPRequest.Options {
    /// Whether so many seconds may pass before something is sent again.
    func hasTime(for seconds: Double, now: Double) -> Bool {
        deadline.map { now + seconds < $0 } ?? true
    }
}
