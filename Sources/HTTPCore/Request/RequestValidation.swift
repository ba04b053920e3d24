// SPDX-License-Identifier: MIT

package import Foundation

/// The checks that every terminal makes before it sends: no byte of a request may end a line early.
///
/// What an error quotes has its control characters as escapes, so that a log line stays one line.
package enum RequestValidation {
    /// Checks the URL, the method, each header field and the body's place.
    ///
    /// - Returns: The URL and the method.
    /// - Throws: ``InvalidRequest``.
    package static func check(_ request: HTTPRequest) throws -> (url: URL, method: HTTPMethod) {
        let urlRequest = request.urlRequest
        guard let url = urlRequest.url else {
            throw InvalidRequest(.url, "The request has no URL.")
        }
        try check(url)
        let method = request.method
        guard isToken(method.rawValue) else {
            throw InvalidRequest(
                .method, "\(method.rawValue.debugDescription) is no request method.")
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
        let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
        guard isWeb, let host = url.host, !host.isEmpty else {
            let text = url.maskingSecrets.debugDescription
            throw InvalidRequest(.url, "\(text) is no http or https URL with a host.")
        }
        // A host is decoded before it is sent, so it can't hold them percent-encoded either. An IPv6
        // zone has a percent sign of its own.
        let decoded = host.utf8.contains(0x25) ? host.removingPercentEncoding ?? host : host
        if (url.absoluteString + decoded).utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw InvalidRequest(.url, "The URL holds a space or a control character.")
        }
    }

    static func check(name: String, value: String) throws {
        guard isToken(name) else {
            // What follows a name may be the value.
            let start = name.prefix { !":=".contains($0) && !$0.isWhitespace }
            let quoted = start.count == name.count ? name : "\(start)\(Secrets.mask)"
            throw InvalidRequest(
                .headerName, "\(quoted.debugDescription) is no header field name.")
        }
        if value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
            throw InvalidRequest(.headerValue, "The value of \(name) holds CR, LF or NUL.")
        }
    }

    /// RFC 9110, section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Letters, digits and ``!#$%&'*+-.^_`|~``, by their ranges: each byte of each name is asked for.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A: true
        default: byte == 0x7C || byte == 0x7E
        }
    }
}
