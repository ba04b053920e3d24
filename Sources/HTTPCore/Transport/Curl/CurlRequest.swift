// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// A request in libcurl's terms, made on the caller's thread.
struct CurlRequest: Sendable {
    let url: URL
    let method: HTTPMethod
    let isSecure: Bool
    private let hasBody: Bool
    /// Nil when it is not known.
    let length: Int64?
    private let text: String
    private let connectLimit: Int
    private let lines: [String]

    init(_ request: HTTPRequest, url: URL, method: HTTPMethod, upload: CurlUpload?) {
        self.url = url
        self.method = method
        hasBody = upload != nil
        length = upload.map(\.length) ?? 0
        text = url.absoluteString
        isSecure = text.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        // A day at most: `Int` ends the process for what it can't hold, such as infinity.
        let limit = request.options.connectTimeout ?? 0
        connectLimit = limit > 0 ? Int(min(max(1, limit * 1_000), 86_400_000)) : 0
        lines = Self.lines(request, hasBody: hasBody)
    }

    /// Sets a handle up, whatever the transfer before it was.
    func configure(_ handle: CurlHandle) {
        handle.set(CURLOPT_URL, text)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectLimit)
        handle.set(
            CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // Better a stream of a connection that is being made than a connection of its own.
        handle.set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        // On a reused connection that drops, libcurl repeats a request it has no body to rewind for.
        handle.set(CURLOPT_FRESH_CONNECT, !method.isIdempotent && length == 0 ? 1 : 0)
        setMethod(of: handle)
        handle.setFields(lines)
    }

    private func setMethod(of handle: CurlHandle) {
        // GET takes back what the other methods set.
        handle.set(CURLOPT_HTTPGET, 1)
        handle.clear(CURLOPT_CUSTOMREQUEST)
        switch method {
        case .get where !hasBody:
            break
        case .head:
            // As a custom method, HEAD would wait for a body.
            handle.set(CURLOPT_NOBODY, 1)
        case _ where !hasBody && !method.anticipatesContent:
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        default:
            handle.set(CURLOPT_UPLOAD, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            duet_setopt_offset(
                handle.easy, CURLOPT_INFILESIZE_LARGE, length.map { Int($0) } ?? -1)
        }
    }

    /// The field lines, sorted by name: the `URLRequest`'s own have no order.
    private static func lines(_ request: HTTPRequest, hasBody: Bool) -> [String] {
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        var lines = fields.filter { !isFraming($0.key) }.sorted { $0.key < $1.key }
            .map { name, value in
                // libcurl's form for a field with no value; `Name:` alone would leave it out.
                value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                    ? "\(name);" : "\(name): \(value)"
            }
        // Without this, libcurl waits a second for a 100 before it sends a large body.
        if hasBody { lines.append("Expect:") }
        return lines
    }

    private static func isFraming(_ name: String) -> Bool {
        sameFieldName(name, "Content-Length") || sameFieldName(name, "Transfer-Encoding")
            || sameFieldName(name, "Expect")
    }
}
#endif
