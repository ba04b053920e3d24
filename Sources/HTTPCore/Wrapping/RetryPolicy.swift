// SPDX-License-Identifier: MIT

public import Foundation

/// When a request is sent again, after what wait, and how often.
///
/// As it is made, it repeats what is transient, and never what a server may have acted on, unless doing it
/// twice is doing it once: the method is idempotent, or the request has an `Idempotency-Key`.
///
/// ```swift
/// var policy = RetryPolicy(attempts: 5)
/// policy.statuses.insert(423)
/// policy.decide = { request, _, wait in
///     request.urlRequest.url?.path == "/search" ? nil : wait
/// }
/// ```
public struct RetryPolicy: Sendable {
    /// What came of an attempt: an answer of any status, its body not read, or an error.
    public typealias Outcome = Result<HTTPResponse, any Error>

    /// How often a request may be sent in all.
    public var attempts: Int
    /// The wait before the first repeat, in seconds.
    ///
    /// It doubles with each further one, and a random part of it is waited ("full jitter"), so that clients
    /// that failed together don't come back together.
    public var delay: TimeInterval
    /// The longest wait, in seconds, also when the server asks for more by `Retry-After`.
    public var longestDelay: TimeInterval = 60
    /// The statuses that are transient.
    ///
    /// After 425, 429, and 503 with `Retry-After` every request is repeated, since none was acted on; after the
    /// others, those that can't act twice.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The errors that are transient.
    ///
    /// A request that was not sent is repeated; of those that may have arrived, the ones that can't act twice.
    public var errors: Set<URLError.Code> = [
        .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]
    /// What bounds all repeats together; nil: nothing does.
    ///
    /// Each policy starts with one of its own, which its copies share.
    public var budget: RetryBudget? = RetryBudget()
    /// Has the last word, within ``attempts``, ``longestDelay``, the budget and a call's total limit.
    ///
    /// It is asked after each attempt but the last, and takes the request, what came of it, and the wait before it
    /// is sent again, nil when it isn't. It returns one or the other.
    public var decide: @Sendable (HTTPRequest, Outcome, TimeInterval?) -> TimeInterval? = { $2 }

    /// Creates a policy.
    public init(attempts: Int = 3, delay: TimeInterval = 0.5) {
        (self.attempts, self.delay) = (attempts, delay)
    }

    /// Whether that was transient, and sending the request again can't act twice.
    func repeats(_ request: HTTPRequest, after outcome: Outcome) -> Bool {
        let isHarmless =
            request.method.isIdempotent
            || request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") != nil
        switch outcome {
        case .failure(let error as URLError):
            return errors.contains(error.code) && (isHarmless || !error.requestMayHaveArrived)
        case .failure: return false
        case .success(let response):
            let isRefusal =
                switch response.status {
                case 425, 429: true
                // A bare 503 may come from a proxy whose upstream did act.
                case 503: response.headers["Retry-After"] != nil
                default: false
                }
            // Before a redirect, something may have been acted on.
            return statuses.contains(response.status)
                && (isHarmless || isRefusal && !response.isRedirected)
        }
    }
}
