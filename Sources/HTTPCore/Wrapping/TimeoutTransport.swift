// SPDX-License-Identifier: MIT

public import Foundation

/// Starts the total limit of a request: outermost, so that it covers all that is sent for it.
///
/// The layers and terminals below keep it, each over its own part: redirects and retry before they send
/// once more, a terminal until the body has ended. What doesn't know of it is cut off a moment later.
struct TimeoutTransport: Layer {
    let base: any HTTPTransport
    /// Seconds, beside what a request's options ask for.
    var limit = TimeInterval.infinity
    var uptime: @Sendable () -> TimeInterval = { TransferClock.uptime() }
    var sleep: @Sendable (TimeInterval) async throws -> Void = { try await TransferClock.sleep($0) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A layer further out has started it where there is a deadline.
        let asked = request.options.deadline == nil ? request.options.totalTimeout : nil
        let seconds = min(limit, asked ?? .infinity)
        guard seconds < .infinity else { return try await base.send(request) }
        var request = request
        let deadline = min(request.options.deadline ?? .infinity, uptime() + seconds)
        request.options.deadline = deadline
        let sent = request
        // A terminal, which knows whether anything was sent, gets a moment to say it first.
        let isOver: @Sendable () async throws -> any Error = {
            try await sleep(deadline + 0.1 - uptime())
            return URLError(
                .timedOut, saying: "The request took longer than it may.",
                requestMayHaveArrived: true)
        }
        var response = try await TransferClock.run({ try await base.send(sent) }, until: isOver)
        if response.body.whole == nil {
            response.body = ResponseBody(
                wrapping: response.body, read: { try await TransferClock.run($0, until: isOver) })
        }
        return response
    }
}

extension TransferClock {
    /// Sleeps for so many seconds, however strange a number.
    static func sleep(_ seconds: TimeInterval) async throws {
        // A year is as good as for ever; of more, or of no number, the conversion would trap.
        let bounded = seconds > 0 ? min(seconds, 31_536_000) : 0
        try await Task.sleep(nanoseconds: UInt64(bounded * 1_000_000_000))
    }

    /// What the work gives, unless something ends first, which throws; whichever is left is cancelled.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        until end: @escaping @Sendable () async throws -> any Error
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask { throw try await end() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension HTTPRequest.Options {
    /// Whether so many seconds may pass before something is sent again.
    func hasTime(for seconds: Double, now: Double) -> Bool {
        deadline.map { now + seconds < $0 } ?? true
    }
}

extension HTTPTransport {
    /// Returns this transport with a limit for each call: the last verb of a stack, since it covers what is there.
    ///
    /// It covers the waits of retries, redirects, a token's refresh, and the body. When it is over, the call or
    /// its body fails with `URLError` of code `timedOut`. A request's own `totalTimeout` counts where it is less.
    ///
    /// - Parameter seconds: The most time from the call to the end of the body.
    /// - Returns: A transport that wraps this one.
    public func timingOut(after seconds: TimeInterval) -> some HTTPTransport {
        TimeoutTransport(base: self, limit: seconds)
    }
}
