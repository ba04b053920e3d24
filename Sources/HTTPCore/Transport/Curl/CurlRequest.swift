// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation
internal import FoundationNetworking

/// A request in libcurl's terms.
struct CurlRequest {
    let url: URL
    let method: HTTPMethod
    let request: HTTPRequest
    let length: BodyLength

    enum BodyLength: Equatable {
        /// No body; with `Content-Length: 0` where the method may carry one.
        case none
        case known(Int64)
        /// Sent chunked.
        case unknown

        /// Nil when it is not known.
        var bytes: Int64? {
            switch self {
            case .none: 0
            case .known(let count): count
            case .unknown: nil
            }
        }
    }

    /// Sets a fresh or reset handle up.
    func configure(_ handle: CurlHandle) {
        // No signals, no other protocol, no redirect: a Location is never libcurl's to follow.
        handle.set(CURLOPT_NOSIGNAL, 1)
        _ = duet_setopt_http_only(handle.easy)
        _ = duet_setopt_quick_exit(handle.easy)
        handle.collectWords()
        // The URL goes out as given, and what a proxy says is no part of the answer.
        handle.set(CURLOPT_URL, url.absoluteString)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // We undo content codings: libcurl takes a cut one for a whole one.
        handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        handle.set(CURLOPT_MAXAGE_CONN, CurlLoop.idleSeconds)
        if let limit = request.options.connectTimeout, limit > 0 {
            // A day at most: `Int` ends the process for what it can't hold, such as infinity.
            handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(1, limit * 1_000), 86_400_000)))
        }
        if url.scheme?.lowercased() == "https" {
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            handle.set(CURLOPT_PIPEWAIT, 1)
            // With a CA folder, libcurl reads all CAs again for each connection: 18 ms of CPU, not 1.5.
            if let file = duet_default_ca_file() {
                handle.set(CURLOPT_CAINFO, String(cString: file))
                handle.set(CURLOPT_CAPATH, nil)
            }
        } else {
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
        setMethod(of: handle)
        handle.setFields(fieldLines())
    }

    private func setMethod(of handle: CurlHandle) {
        switch (method, length) {
        case (.get, .none):
            handle.set(CURLOPT_HTTPGET, 1)
        case (.head, _):
            // As a custom method, HEAD would wait for a body.
            handle.set(CURLOPT_NOBODY, 1)
        case (_, .none) where !method.anticipatesContent:
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        default:
            handle.set(CURLOPT_UPLOAD, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            switch length {
            case .none: handle.set(CURLOPT_INFILESIZE_LARGE, offset: 0)
            case .known(let count): handle.set(CURLOPT_INFILESIZE_LARGE, offset: count)
            case .unknown: handle.set(CURLOPT_INFILESIZE_LARGE, offset: -1)
            }
        }
        // On a reused connection that drops, libcurl repeats a request it has no body to rewind for.
        if !method.isIdempotent, length == .none || length == .known(0) {
            handle.set(CURLOPT_FRESH_CONNECT, 1)
        }
    }

    /// The field lines, sorted by name: the `URLRequest`'s own have no order.
    private func fieldLines() -> [String] {
        var fields: [String: String] = request.urlRequest.allHTTPHeaderFields ?? [:]
        for name in fields.keys where isFraming(name) { fields[name] = nil }
        func addUnlessSet(_ name: String, _ value: String) {
            if !fields.keys.contains(where: { sameFieldName($0, name) }) { fields[name] = value }
        }
        addUnlessSet("Accept-Encoding", "gzip, deflate")
        addUnlessSet("User-Agent", "Duet")
        var lines = fields.sorted { $0.key < $1.key }.map { name, value in
            // libcurl's form for a field with no value; `Name:` alone would leave it out.
            value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)"
        }
        // Without these, libcurl waits a second for a 100, and labels a body as a form.
        if length != .none { lines.append("Expect:") }
        return lines
    }

    private func isFraming(_ name: String) -> Bool {
        sameFieldName(name, "Content-Length") || sameFieldName(name, "Transfer-Encoding")
            || sameFieldName(name, "Expect")
    }
}
#endif
