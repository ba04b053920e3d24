// SPDX-License-Identifier: MIT

internal import Foundation

/// Sends a request again when its failure is transient, and repeating it can do no harm.
///
/// Asleep until a request's options ask for more than one attempt.
struct RetryTransport: Layer {
    let base: any HTTPTransport
    /// What counts where a request's options say no more than how often.
    var policy = RetryPolicy()
    var sleep: @Sendable (TimeInterval) async throws -> Void = { try await TransferClock.sleep($0) }
    /// A number from 0 to 1, for the jitter.
    var random: @Sendable () -> Double = { .random(in: 0...1) }
    var now: @Sendable () -> Date = { Date() }
    var uptime: @Sendable () -> Double = { TransferClock.uptime() }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let options = request.options
        guard var policy = options.layers.retry ?? (options.attempts > 1 ? policy : nil) else {
            return try await base.send(request)
        }
        if options.attempts > 1 { policy.attempts = options.attempts }
        policy.delay = options.retryDelay ?? policy.delay
        policy.budget?.earn(now: uptime())
        var request = request.withRisingProgress
        // A retry layer further below would multiply the attempts.
        (request.options.layers.retry, request.options.attempts) = (nil, 1)
        var mayHaveArrived = false
        while true {
            request.options.uncollected = options.uncollected
            let isLast = request.options.attempt >= policy.attempts
            if !isLast { request.options.leaveUncollected(policy.statuses) }
            let outcome: RetryPolicy.Outcome
            do {
                outcome = .success(try await base.send(request))
            } catch {
                outcome = .failure(error)
            }
            guard !isLast, let pause = pause(after: outcome, of: request, by: policy) else {
                request.options.uncollected = options.uncollected
                return try await Self.last(outcome, of: request, mayHaveArrived: mayHaveArrived)
            }
            if case .success(let response) = outcome { await response.drain() }
            mayHaveArrived = mayHaveArrived || outcome.mayHaveArrived
            try await sleep(pause)
            try Task.checkCancellation()
            request.options.attempt += 1
            request.options.layers.waited += pause
        }
    }

    private static func last(
        _ outcome: RetryPolicy.Outcome, of request: HTTPRequest, mayHaveArrived: Bool
    ) async throws -> HTTPResponse {
        do {
            var response = try await outcome.get().collected(for: request)
            let waited = request.options.layers.waited
            response.body = ResponseBody(wrapping: response.body, metrics: { $0.waited = waited })
            return response
        } catch let error as URLError where mayHaveArrived {
            throw error.whereRequestMayHaveArrived()
        }
    }

    /// The wait before a request is sent again, nil when it is not.
    func pause(
        after outcome: RetryPolicy.Outcome, of request: HTTPRequest, by policy: RetryPolicy
    ) -> TimeInterval? {
        func bounded(_ wait: TimeInterval) -> TimeInterval {
            // A sleep of less than nothing, or of no number, would trap.
            wait > 0 ? min(wait, policy.longestDelay) : 0
        }
        // Nobody waits for what was cancelled.
        if case .failure(let error) = outcome,
            error is CancellationError || (error as? URLError)?.code == .cancelled
        {
            return nil
        }
        var pause: TimeInterval?
        if policy.repeats(request, after: outcome) {
            // Exponential back-off with full jitter. Past 2^30 only the cap counts, and 0 times infinity would
            // be no number.
            let longest = policy.delay * pow(2, Double(min(request.options.attempt - 1, 30)))
            pause = asked(by: outcome) ?? bounded(longest) * random()
        }
        // What the total limit leaves no time for isn't waited for.
        guard let pause = policy.decide(request, outcome, pause).map(bounded),
            request.options.hasTime(for: pause, now: uptime()),
            !outcome.mayHaveArrived || policy.budget?.spend() ?? true
        else { return nil }
        return pause
    }

    /// `Retry-After`: seconds, or a date in each form of RFC 9110, section 5.6.7.
    private func asked(by outcome: RetryPolicy.Outcome) -> TimeInterval? {
        guard let text = try? outcome.get().headers["Retry-After"] else { return nil }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isNumber ? TimeInterval(text) : HTTPDate.parse(text)?.timeIntervalSince(now())
    }
}

extension RetryPolicy.Outcome {
    /// Whether a server may have seen the request.
    var mayHaveArrived: Bool {
        guard case .failure(let error as URLError) = self else { return true }
        return error.requestMayHaveArrived
    }
}

extension HTTPTransport {
    /// Returns this transport with repeats of what failed for a while, within bounds.
    ///
    /// In a standard stack they happen between cookies and redirects, wherever this verb stands: one hop is sent
    /// again, never those before it. Around another transport they happen here.
    ///
    /// ```swift
    /// let patient = DefaultTransport.default.retrying(policy)
    /// ```
    ///
    /// - Parameter policy: What is repeated, and how. A call that asks for attempts of its own gets those, and
    ///   the rest of this.
    /// - Returns: A transport that wraps this one.
    public func retrying(_ policy: RetryPolicy = RetryPolicy()) -> some HTTPTransport {
        OptionsTransport(base: holding { RetryTransport(base: $0) }) {
            $0.layers.retry = $0.layers.retry ?? policy
        }
    }
}
