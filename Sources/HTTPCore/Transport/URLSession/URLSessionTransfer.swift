// SPDX-License-Identifier: MIT

internal import Foundation

/// One exchange over a session: what the delegate's calls do.
final class URLSessionTransfer: Sendable {
    struct State {
        /// The length that the head gave; -1: none, nil: no head yet.
        var expected: Int64?
        var metrics = HTTPMetrics()
        var clock: TransferClock
        let timer = DispatchSource.makeTimerSource()
        /// Our own reason, when we end the task; the first counts.
        var failure: (any Error)?
    }

    let task: URLSessionTask
    let pipe: AnswerPipe
    private let url: URL
    private let body: URLSessionBody
    /// Kept for its session, which must not end before.
    private let pool: URLSessionPool
    private let progress: UploadReporter
    let state: Locked<State>
    private let start = TransferClock.uptime()

    init(
        _ request: HTTPRequest, url: URL, body: URLSessionBody, task: URLSessionTask,
        in pool: URLSessionPool
    ) {
        self.url = url
        self.body = body
        self.pool = pool
        self.task = task
        progress = UploadReporter(of: request, bytesInAll: body.length)
        let clock = TransferClock(
            now: start, idleLimit: request.urlRequest.timeoutInterval,
            totalLimit: request.options.totalTimeout, deadline: request.options.deadline)
        state = Locked(State(clock: clock))
        pipe = AnswerPipe(
            url: url, options: request.options,
            onRoom: { [state] in
                state.withLock { state in
                    guard state.clock.paused.contains(.receiving) else { return }
                    state.clock.resume(.receiving, now: TransferClock.uptime())
                    task.resume()
                }
            },
            onDrop: { [state] in state.withLock { _ in task.cancel() } })
        // Not `asyncAfter`, which can't be taken back once the transfer has ended. A source has to be
        // active when it is let go; this one waits for its first time.
        let timer = state.withLock { $0.timer }
        timer.setEventHandler { [weak self] in self?.watch() }
        timer.activate()
    }

    deinit {
        state.withLock { $0.timer.cancel() }
    }

    // MARK: From the delegate's queue

    func receive(_ response: URLResponse) {
        let now = TransferClock.uptime()
        state.withLock { $0.clock.move(now: now) }
        // On Linux, interim answers (1xx) come this way too.
        guard let head = response as? HTTPURLResponse, head.statusCode >= 200 else { return }
        let expected = head.expectedContentLength
        state.withLock { ($0.expected, $0.metrics.firstByte) = (expected, now - start) }
        pipe.head(head.statusCode, HTTPFields(of: head).splittingCookies)
    }

    func receive(_ data: Data) {
        state.withLock { state in
            state.clock.move(now: TransferClock.uptime())
            state.metrics.bodyBytesReceived += Int64(data.count)
        }
        do {
            let isFull = try data.withUnsafeBytes { try pipe.write($0) }
            pipe.deliver()
            if isFull, SessionTraits.slowsBySuspending { suspendWhileFull() }
        } catch {
            stop(because: error)
        }
    }

    /// Holds the task up, and with it the idle clock, until the reader has made room.
    ///
    /// The reader may have done so since the write that filled the pipe: both sides decide under one lock,
    /// so that each suspension is followed by one resumption, and none comes too late for it.
    func suspendWhileFull() {
        state.withLock { state in
            guard pipe.isFull, !state.clock.paused.contains(.receiving) else { return }
            state.clock.pause(.receiving)
            task.suspend()
        }
    }

    /// Ends the task for a reason of ours.
    func stop(because error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
        state.withLock { _ in task.cancel() }
    }

    func didSend(_ bytes: Int64) {
        state.withLock { state in
            state.clock.move(now: TransferClock.uptime())
            state.metrics.bodyBytesSent = max(state.metrics.bodyBytesSent, bytes)
        }
        progress.report(bytes)
    }

    func finish(_ error: (any Error)?) {
        var state = state.withLock { $0 }
        state.metrics.total = TransferClock.uptime() - start
        let failure = state.failure ?? error.map { told($0, state) }
        let result = failure.map { .failure($0) } ?? Result<_, any Error>.success(state.metrics)
        // A server may answer before it has taken the body (RFC 9112, section 9.5).
        let isWhole = failure == nil && state.metrics.bodyBytesSent >= body.length
        progress.finish(isWhole: isWhole) { [pipe] in pipe.end(result) }
    }

    /// Foundation's error in our words, and without the URL, which may hold secrets.
    private func told(_ error: any Error, _ state: State) -> any Error {
        guard let error = error as? URLError else { return error }
        if error.code == .cancelled { return CancellationError() }
        // On Linux, a body that is cut has no code of its own, whichever way it went.
        let sent = state.metrics.bodyBytesSent
        if error.code == .unknown, let expected = state.expected ?? (sent > 0 ? -1 : nil) {
            let all = expected >= 0 ? " of \(expected)" : ""
            return URLError(
                .networkConnectionLost,
                saying: "\(url.host ?? "The server") closed the connection before the answer was "
                    + "complete: \(state.metrics.bodyBytesReceived)\(all) bytes came.",
                requestMayHaveArrived: true)
        }
        return URLError(
            error.code, saying: error.localizedDescription,
            requestMayHaveArrived: !Self.comesBeforeTheRequest.contains(error.code))
    }

    private static let comesBeforeTheRequest: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
        .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    ]

    // MARK: The clock

    /// Ends the task when the time is up.
    ///
    /// Looks again when it may be, each second while time stands still.
    func watch() {
        let (deadline, timer) = state.withLock { ($0.clock.deadline, $0.timer) }
        let rest = deadline.map { $0 - TransferClock.uptime() } ?? 1
        if rest > 0 { return timer.schedule(deadline: .now() + rest) }
        stop(
            because: URLError(
                .timedOut, saying: "\(url.host ?? "The server") did not answer in time.",
                requestMayHaveArrived: true))
    }
}

extension HTTPFields {
    /// URLSession joins the `Set-Cookie` fields by commas, which dates have too: a comma starts a new
    /// cookie only where a name and `=` follow it.
    var splittingCookies: HTTPFields {
        var fields = HTTPFields()
        for field in self {
            guard sameFieldName(field.name, "Set-Cookie") else {
                fields.append(field.name, field.value)
                continue
            }
            var cookies: [String] = []
            for part in field.value.components(separatedBy: ",") {
                let name = part.prefix { $0 != "=" && $0 != ";" }
                let startsCookie =
                    name.count < part.count && part[name.endIndex] == "="
                    && RequestValidation.isToken(name.trimmingCharacters(in: .whitespaces))
                let cookie = startsCookie ? nil : cookies.popLast()
                cookies.append(cookie.map { $0 + "," + part } ?? part)
            }
            for cookie in cookies {
                fields.append(field.name, cookie.trimmingCharacters(in: .whitespaces))
            }
        }
        return fields
    }
}
