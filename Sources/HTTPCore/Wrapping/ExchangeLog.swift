// SPDX-License-Identifier: MIT

internal import Foundation

/// What is written about an exchange, and where; never a secret.
struct ExchangeLog: Sendable {
    /// The most bytes of each body.
    var bodyLimit = 0
    /// Beside the usual ones, in lower case.
    var secretNames: Set<String> = []
    var write: @Sendable (String) -> Void = StandardLog.write

    /// One line, then what else is asked for.
    func text(
        of request: HTTPRequest, _ head: HTTPResponse?, _ body: (size: Int, start: Data),
        _ failure: (any Error)?, seconds: TimeInterval
    ) -> String {
        var time = String(format: "%.1f ms", seconds * 1_000)
        let (attempt, waited) = (request.options.attempt, request.options.layers.waited)
        if attempt > 1 { time += String(format: ", attempt \(attempt), %.2f s waited", waited) }
        let answer = head.map { "\($0.status), \(body.size) bytes" }
        let words = failure.map { $0 is CancellationError ? "cancelled" : userMessage(for: $0) }
        let outcome = [answer, words].compactMap { $0 }.joined(separator: ", then ")
        let ending = words == nil ? ", \(time)" : " (\(time))"
        var lines = [masked("\(request) → \(outcome)", request) + ending]
        if case .data(let sent) = request.body {
            let type = request.urlRequest.value(forHTTPHeaderField: "Content-Type")
            lines += shown("> ", (sent.count, sent), type, request)
        }
        lines += shown("< ", body, head?.headers["Content-Type"], request)
        // What a caller or a server says can't end a line and start one of its own.
        let isBreak = CharacterSet.controlCharacters.union(.newlines)
        return lines.map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.map { isBreak.contains($0) ? " " : $0 }))
        }.joined(separator: "\n")
    }

    private func shown(
        _ mark: String, _ body: (size: Int, start: Data), _ type: String?, _ request: HTTPRequest
    ) -> [String] {
        guard bodyLimit > 0, body.size > 0 else { return [] }
        let start = body.start.prefix(bodyLimit)
        let isBinary = start.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
        if isBinary || Secrets.areParts(start, type) { return ["\(mark)\(body.size) bytes"] }
        let text =
            start.count == body.size
            ? HTTPStatusError.prettyPrinted(start) : String(decoding: start, as: UTF8.self) + "…"
        return masked(text, request)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { mark + $0 }
    }

    private func masked(_ text: String, _ request: HTTPRequest) -> String {
        Secrets.masked(Secrets.masked(text, also: secretNames), valuesOf: request)
    }
}
