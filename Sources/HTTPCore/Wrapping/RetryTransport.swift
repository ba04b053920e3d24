// SPDX-License-Identifier: MIT

internal import Foundation

/// Sends a request again when its failure is transient, and repeating it can do no harm.
///
/// Asleep until a request's options ask for more than one attempt.
struct RetryTransport: HTTPTransport {
    let base: any HTTPTransport
    var delay: TimeInterval = 0.5
    /// The longest wait between two attempts, in seconds, also when the server asks for more.
    var longestDelay: TimeInterval = 60
    var sleep: @Sendable (TimeInterval) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64(max(0, $0) * 1_000_000_000))
    }
    /// A number from 0 to 1, for the jitter.
    var random: @Sendable () -> Double = { .random(in: 0...1) }
    var now: @Sendable () -> Date = { Date() }
    var uptime: @Sendable () -> Double = { TransferClock.uptime() }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.options.attempts > 1 else { return try await base.send(request) }
        var request = request
        var mayHaveArrived = false
        let uncollected = request.options.uncollected
        while true {
            let isLast = request.options.attempt >= request.options.attempts
            request.options.uncollected = uncollected
            if !isLast { request.options.leaveUncollected(RetryRule.statuses) }
            let wait: TimeInterval
            do {
                let response = try await base.send(request)
                let asked = asked(by: response) ?? backOff(request)
                // What the total limit leaves no time for isn't waited for.
                guard !isLast, RetryRule.repeats(request, after: response),
                    request.options.hasTime(for: asked, now: uptime())
                else {
                    if uncollected.contains(response.status) { return response }
                    return try await response.collected(for: request)
                }
                wait = asked
                mayHaveArrived = true
                await response.drain()
            } catch let error as URLError {
                mayHaveArrived = mayHaveArrived || error.requestMayHaveArrived
                let pause = backOff(request)
                guard !isLast, RetryRule.repeats(request, after: error),
                    request.options.hasTime(for: pause, now: uptime())
                else {
                    throw mayHaveArrived ? error.whereRequestMayHaveArrived() : error
                }
                wait = pause
            }
            try await sleep(wait)
            try Task.checkCancellation()
            request.options.attempt += 1
        }
    }

    /// Exponential back-off with full jitter.
    private func backOff(_ request: HTTPRequest) -> TimeInterval {
        // Past 2^30 only the cap counts, and 0 times infinity would be no number.
        let exponent = Double(min(request.options.attempt - 1, 30))
        return bounded((request.options.retryDelay ?? delay) * pow(2, exponent)) * random()
    }

    /// `Retry-After`: seconds, or a date in each form of RFC 9110, section 5.6.7.
    private func asked(by response: HTTPResponse) -> TimeInterval? {
        guard let text = response.headers["Retry-After"] else { return nil }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        let seconds =
            isNumber ? TimeInterval(text) : HTTPDate.parse(text)?.timeIntervalSince(now())
        return seconds.map(bounded)
    }

    /// A wait from 0 to the longest, whatever came in: a sleep of less, or of no number, would trap.
    private func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds > 0 ? min(seconds, longestDelay) : 0
    }
}

/// Which requests may be sent again, and after what.
enum RetryRule {
    /// Those that may be repeated, depending on the request.
    static let statuses: Set = [408, 425, 429, 500, 502, 503, 504]

    static func repeats(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
        switch response.status {
        case 425, 429: true
        // A bare 503 may come from a proxy whose upstream did act.
        case 503: isHarmless(request) || response.headers["Retry-After"] != nil
        case 408, 500, 502, 504: isHarmless(request)
        default: false
        }
    }

    static func repeats(_ request: HTTPRequest, after error: URLError) -> Bool {
        switch error.code {
        case .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost,
            .dnsLookupFailed, .notConnectedToInternet:
            isHarmless(request) || !error.requestMayHaveArrived
        default: false
        }
    }

    private static func isHarmless(_ request: HTTPRequest) -> Bool {
        request.method.isIdempotent
            || request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }
}
