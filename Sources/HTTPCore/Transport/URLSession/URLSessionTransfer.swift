// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One exchange over a session: what the delegate's calls do, and who waits for the answer.
final class URLSessionTransfer: Sendable {
    private typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

    private struct State {
        var waiter: Waiter?
        /// Whether `send` has its result.
        var isOver = false
        var head: HTTPResponse?
        var collected = Data()
        var received: Int64 = 0
        var sent: Int64 = 0
        var clock: TransferClock
        /// Our own reason, when we end the task.
        var failure: (any Error)?
    }

    let task: URLSessionTask
    private let request: HTTPRequest
    private let url: URL
    /// Kept for its temporary file, which goes with the transfer.
    private let body: URLSessionBody
    private let pipe: BodyPipe?
    private let progress: UploadReporter?
    private let state: Locked<State>
    private let start = URLSessionTransfer.seconds()

    init(_ request: HTTPRequest, url: URL, body: URLSessionBody, task: URLSessionTask) {
        self.request = request
        self.url = url
        self.body = body
        self.task = task
        progress = request.onUploadProgress.map { UploadReporter(bytesInAll: body.length, $0) }
        let clock = TransferClock(
            now: start, idleLimit: request.urlRequest.timeoutInterval,
            totalLimit: request.options.totalTimeout)
        let state = Locked(State(clock: clock))
        self.state = state
        pipe =
            request.options.collect == nil
            ? BodyPipe(
                onRoom: {
                    state.withLock { $0.clock.resume(.receiving, now: Self.seconds()) }
                    BackPressure.resume(task)
                },
                onCancel: { task.cancel() })
            : nil
    }

    /// Begins, unless it was cancelled before.
    func start(_ waiter: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        let mayStart = state.withLock { state in
            if !state.isOver { state.waiter = waiter }
            return !state.isOver
        }
        if mayStart {
            task.resume()
            watch()
        } else {
            task.cancel()
            waiter.resume(throwing: CancellationError())
        }
        return mayStart
    }

    func cancel() {
        if deliver(.failure(CancellationError())) { task.cancel() }
    }

    /// Gives the waiter its result, unless it has one.
    @discardableResult
    private func deliver(_ result: Result<HTTPResponse, any Error>) -> Bool {
        let (wasOver, waiter) = state.withLock { state in
            (exchange(&state.isOver, true), exchange(&state.waiter, nil))
        }
        if let waiter {
            if let progress {
                progress.afterAll { waiter.resume(with: result) }
            } else {
                waiter.resume(with: result)
            }
        }
        return !wasOver
    }

    // MARK: From the delegate's queue

    func receive(_ response: URLResponse) {
        // On Linux, interim answers (1xx) come this way too.
        guard let head = response as? HTTPURLResponse, head.statusCode >= 200 else { return }
        var response = HTTPResponse(
            status: head.statusCode, headers: HTTPFields(of: head).splittingCookies, url: url,
            body: ResponseBody())
        let answer = response
        state.withLock { state in
            state.clock.move(now: Self.seconds())
            // Without the body: its last owner, whose end ends the transfer, is the caller.
            state.head = answer
        }
        guard let pipe else { return }
        response.body = ResponseBody(pipe)
        deliver(.success(response))
    }

    func receive(_ data: Data) {
        let isTooLarge = state.withLock { state in
            state.clock.move(now: Self.seconds())
            state.received += Int64(data.count)
            guard pipe == nil else { return false }
            let limit = request.options.collect ?? .max
            guard data.count <= limit - state.collected.count else {
                state.failure = ResponseBodyError(
                    .tooLarge(limit: limit), status: state.head?.status, url: url)
                return true
            }
            state.collected.append(data)
            return false
        }
        if isTooLarge { task.cancel() }
        if let pipe, data.withUnsafeBytes(pipe.write), BackPressure.suspend(task) {
            state.withLock { $0.clock.pause(.receiving) }
        }
    }

    func didSend(_ bytes: Int64) {
        state.withLock { state in
            state.clock.move(now: Self.seconds())
            state.sent = max(state.sent, bytes)
        }
        progress?.report(bytes)
    }

    func finish(_ error: (any Error)?) {
        let (head, collected, failure, metrics) = state.withLock { state in
            var metrics = HTTPMetrics()
            metrics.total = Self.seconds() - start
            metrics.bodyBytesSent = state.sent
            metrics.bodyBytesReceived = state.received
            return (state.head, state.collected, state.failure, metrics)
        }
        if let reason = failure ?? error.map({ said($0, head: head, received: metrics) }) {
            fail(reason)
        } else if var head {
            // A server may answer before it has taken the body (RFC 9112, section 9.5).
            if metrics.bodyBytesSent >= body.length { progress?.finish() }
            pipe?.end(.success(metrics))
            if pipe == nil {
                head.body = ResponseBody(collected, metrics: metrics)
                deliver(.success(head))
            }
        } else {
            fail(URLError(.badServerResponse, saying: "The server's answer has no head."))
        }
    }

    private func fail(_ error: any Error) {
        if !deliver(.failure(error)) { pipe?.end(.failure(error)) }
    }

    /// Foundation's error with what it leaves out.
    private func said(_ error: any Error, head: HTTPResponse?, received: HTTPMetrics) -> any Error {
        guard var error = error as? URLError else { return error }
        if error.code == .cancelled { return CancellationError() }
        // On Linux, a body that is cut has no code of its own.
        if error.code == .unknown, head != nil {
            let expected = head?.headers["Content-Length"].map { " of \($0)" } ?? ""
            error = URLError(
                .networkConnectionLost,
                saying: "\(url.host ?? "The server") closed the connection before the answer was "
                    + "complete: \(received.bodyBytesReceived)\(expected) bytes came.")
        }
        let neverArrived: Set<URLError.Code> = [
            .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        ]
        return neverArrived.contains(error.code) ? error : error.whereRequestMayHaveArrived()
    }

    // MARK: The clock

    /// Looks again when the time may be up; each second while time stands still.
    private func watch() {
        let deadline = state.withLock { $0.clock.deadline }
        let wait = deadline.map { max(0, $0 - Self.seconds()) } ?? 1
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [weak self] in
            self?.checkTime()
        }
    }

    private func checkTime() {
        let isUp = state.withLock { state in
            guard let deadline = state.clock.deadline, deadline <= Self.seconds() else { return false }
            state.failure = URLError(
                .timedOut, saying: "\(url.host ?? "The server") did not answer in time.",
                requestMayHaveArrived: true)
            return true
        }
        guard isUp else { return watch() }
        task.cancel()
    }

    private static func seconds() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
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
            var cookie = ""
            for part in field.value.components(separatedBy: ",") {
                let name = part.prefix { $0 != "=" && $0 != ";" }
                let startsCookie =
                    name.count < part.count && part[name.endIndex] == "="
                    && RequestValidation.isToken(name.trimmingCharacters(in: .whitespaces))
                if cookie.isEmpty {
                    cookie = part
                } else if startsCookie {
                    fields.append(field.name, cookie.trimmingCharacters(in: .whitespaces))
                    cookie = part
                } else {
                    cookie += "," + part
                }
            }
            fields.append(field.name, cookie.trimmingCharacters(in: .whitespaces))
        }
        return fields
    }
}
