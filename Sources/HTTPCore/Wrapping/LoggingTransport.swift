// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes one line about each exchange, without a secret in it.
///
/// ```
/// GET https://host/todos?token=••• → 200, 512 bytes, 3.1 ms
/// POST https://host/todos → The connection to host was lost. (12.0 ms, attempt 2)
/// ```
///
/// Asleep until a request's options ask for it.
struct LoggingTransport: HTTPTransport {
    let base: any HTTPTransport
    let write: @Sendable (String) -> Void

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.options.logs else { return try await base.send(request) }
        let start = DispatchTime.now().uptimeNanoseconds

        func log(_ outcome: (_ time: String) -> String) {
            let time = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
            let attempt = request.options.attempt
            let words =
                String(format: "%.1f ms", time) + (attempt > 1 ? ", attempt \(attempt)" : "")
            write(Self.onOneLine("\(request) → \(outcome(words))"))
        }

        do {
            let response = try await base.send(request)
            let size = response.body.whole.map { "\($0.count) bytes" } ?? "a body that streams"
            log { "\(response.status), \(size), \($0)" }
            return response
        } catch {
            let words = error is CancellationError ? "cancelled" : userMessage(for: error)
            let masked = Secrets.masked(Secrets.masked(words), valuesOf: request)
            log { "\(masked) (\($0))" }
            throw error
        }
    }

    /// What a caller or a server says can't end the line and start one of its own.
    private static func onOneLine(_ text: String) -> String {
        let isBreak = CharacterSet.controlCharacters.union(.newlines)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isBreak.contains($0) ? " " : $0 }))
    }
}
