// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes about each exchange when it has ended, with the body of an answer that streams.
///
/// Asleep until a request's options ask for it.
struct LoggingTransport: Layer {
    let base: any HTTPTransport
    var log = ExchangeLog()

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let log = request.options.layers.log ?? (request.options.logs ? log : nil) else {
            return try await base.send(request)
        }
        let start = TransferClock.uptime()
        let seen = Locked((size: 0, start: Data()))
        @Sendable func write(_ head: HTTPResponse?, _ failure: (any Error)?) {
            let (body, seconds) = (seen.withLock { $0 }, TransferClock.uptime() - start)
            log.write(log.text(of: request, head, body, failure, seconds: seconds))
        }
        do {
            var response = try await base.send(request)
            // Without the body, which ends when nobody holds it any more.
            let head = HTTPResponse(
                status: response.status, headers: response.headers, url: response.url,
                body: ResponseBody())
            response.body = ResponseBody(
                wrapping: response.body,
                onChunk: { chunk in
                    seen.withLock { seen in
                        seen.size += chunk.count
                        seen.start += chunk.prefix(log.bodyLimit - seen.start.count)
                    }
                }, onEnd: { write(head, $0) })
            return response
        } catch {
            write(nil, error)
            throw error
        }
    }
}

extension HTTPTransport {
    /// Returns this transport with a log of every exchange: each attempt, and each hop of a redirect.
    ///
    /// ```
    /// GET https://host/todos?token=••• → 200, 512 bytes, 3.1 ms
    /// POST https://host/todos → The connection to host was lost. (12.0 ms, attempt 2, 0.41 s waited)
    /// GET https://host/export → 200, 65536 bytes, then cancelled (80.5 ms)
    /// ```
    ///
    /// That line is all, unless more is asked for. What is named like a secret is masked everywhere: header fields,
    /// query items, form fields and JSON members. In a standard stack the log is next to the network,
    /// wherever this verb stands; around another transport it sees what passes here. It is awake for every
    /// request, whatever a call's `debug` says.
    ///
    /// ```swift
    /// let logged = DefaultTransport.default
    ///     .logging(bodies: 4_096, secrets: ["iban"]) { text in logger.debug("\(text)") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The most bytes to write of each body, a text; JSON in lines of its own. Of a body that is
    ///     sent from a file or a stream there are none.
    ///   - names: What is a secret beside the usual names, in any letter case.
    ///   - write: Takes a text of one line or more. By default the system's log on Apple's platforms
    ///     (subsystem Duet), elsewhere standard error.
    /// - Returns: A transport that wraps this one.
    public func logging(
        bodies limit: Int = 0, secrets names: Set<String> = [],
        to write: (@Sendable (String) -> Void)? = nil
    ) -> some HTTPTransport {
        let log = ExchangeLog(
            bodyLimit: max(0, limit), secretNames: Set(names.map { $0.lowercased() }),
            write: write ?? StandardLog.write)
        return OptionsTransport(base: holding { LoggingTransport(base: $0) }) {
            $0.layers.log = $0.layers.log ?? log
        }
    }
}
