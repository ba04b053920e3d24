// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes one line about each exchange, without a secret in it.
///
/// ```
/// GET https://host/todos?token=••• → 200, 512 bytes, 3.1 ms
/// POST https://host/todos → The connection to host was lost. (12.0 ms, attempt 2)
/// GET https://host/export → 200, 65536 bytes, then cancelled (80.5 ms)
/// ```
///
/// The line of an answer that streams comes when its body has ended, one way or another.
///
/// Asleep until a request's options ask for it.
struct LoggingTransport: HTTPTransport {
    let base: any HTTPTransport
    let write: @Sendable (String) -> Void

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.options.logs else { return try await base.send(request) }
        let start = TransferClock.uptime()

        @Sendable func log(_ outcome: (_ time: String) -> String) {
            let time = (TransferClock.uptime() - start) * 1_000
            let attempt = request.options.attempt
            let words =
                String(format: "%.1f ms", time) + (attempt > 1 ? ", attempt \(attempt)" : "")
            write(Self.onOneLine("\(request) → \(outcome(words))"))
        }

        do {
            var response = try await base.send(request)
            let status = response.status
            if let whole = response.body.whole {
                log { "\(status), \(whole.count) bytes, \($0)" }
                return response
            }
            response.body = ResponseBody(watching: response.body) { size, failure in
                let failure = failure.map { Self.words(for: $0, of: request) }
                log { time in
                    "\(status), \(size) bytes, "
                        + (failure.map { "then \($0) (\(time))" } ?? time)
                }
            }
            return response
        } catch {
            log { "\(Self.words(for: error, of: request)) (\($0))" }
            throw error
        }
    }

    private static func words(for error: any Error, of request: HTTPRequest) -> String {
        let words = error is CancellationError ? "cancelled" : userMessage(for: error)
        return Secrets.masked(Secrets.masked(words), valuesOf: request)
    }

    /// What a caller or a server says can't end the line and start one of its own.
    private static func onOneLine(_ text: String) -> String {
        let isBreak = CharacterSet.controlCharacters.union(.newlines)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isBreak.contains($0) ? " " : $0 }))
    }
}

extension ResponseBody {
    /// A body that tells once when another one has ended, after how many bytes and by what failure.
    ///
    /// Dropped or cancelled before its end: by `CancellationError`.
    init(
        watching body: ResponseBody,
        onEnd: @escaping @Sendable (_ size: Int, _ failure: (any Error)?) -> Void
    ) {
        struct State {
            var body: ResponseBody?
            var iterator: Iterator?
            var size = 0
            var hasEnded = false
        }
        let state = Locked(State(body: body, iterator: body.makeAsyncIterator()))
        let end: @Sendable ((any Error)?) -> Void = { failure in
            let size = state.withLock { exchange(&$0.hasEnded, true) ? nil : $0.size }
            if let size { onEnd(size, failure) }
        }
        self.init(
            next: {
                guard var iterator = state.withLock({ $0.iterator }) else {
                    throw CancellationError()
                }
                do {
                    let chunk = try await iterator.next()
                    state.withLock { $0.size += chunk?.count ?? 0 }
                    if chunk == nil { end(nil) }
                    return chunk
                } catch {
                    end(error)
                    throw error
                }
            },
            metrics: { state.withLock { $0.body }?.metrics },
            cancel: {
                end(CancellationError())
                // The other body ends with its last copy.
                _ = state.withLock { exchange(&$0, State(hasEnded: true)) }
            })
    }
}
