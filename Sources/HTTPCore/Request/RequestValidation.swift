// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The checks that every terminal makes before it sends: no byte of a request may end a line early.
enum RequestValidation {
    /// Checks the URL, the method, each header field and the body's place.
    ///
    /// - Returns: The URL and the method.
    /// - Throws: ``InvalidRequest``.
    static func check(_ request: HTTPRequest) throws -> (url: URL, method: HTTPMethod) {
        let urlRequest = request.urlRequest
        guard let url = urlRequest.url else {
            throw InvalidRequest(.url, "The request has no URL.")
        }
        try check(url)
        let method = HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET")
        guard isToken(method.rawValue) else {
            throw InvalidRequest(.method, "\(quoted(method.rawValue)) is no request method.")
        }
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
            try check(name: name, value: value)
        }
        if method == .head, !request.body.isEmpty {
            throw InvalidRequest(.body, "A HEAD request can't have a body.")
        }
        return (url, method)
    }

    static func check(_ url: URL) throws {
        let shown = quoted(url.maskingSecrets)
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw InvalidRequest(.url, "\(shown) is no http or https URL.")
        }
        guard let host = url.host?.removingPercentEncoding, !host.isEmpty else {
            throw InvalidRequest(.url, "\(shown) names no host.")
        }
        // A host is decoded before it is sent, so it can't hold them percent-encoded either.
        if (url.absoluteString + host).utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw InvalidRequest(.url, "The URL holds a space or a control character.")
        }
    }

    static func check(name: String, value: String) throws {
        guard isToken(name) else {
            throw InvalidRequest(.headerName, "\(quoted(name)) is no header field name.")
        }
        if value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
            throw InvalidRequest(
                .headerValue, "The value of the header field \(name) holds CR, LF or NUL.")
        }
    }

    /// RFC 9110, section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }

    /// The text in quotes, control characters shown as escapes, so that a log line stays one line.
    private static func quoted(_ text: String) -> String {
        text.debugDescription
    }
}
