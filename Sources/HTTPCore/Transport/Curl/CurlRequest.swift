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

    /// Sets a handle up, whatever the transfer before it was.
    func configure(_ handle: CurlHandle) {
        handle.set(CURLOPT_URL, url.absoluteString)
        let connectLimit = request.options.connectTimeout.map { max(1, Int($0 * 1_000)) }
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectLimit ?? 0)
        handle.set(
            CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // Better a stream of a connection that is being made than a connection of its own.
        handle.set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        // On a reused connection that drops, libcurl repeats a request it has no body to rewind for.
        handle.set(CURLOPT_FRESH_CONNECT, !method.isIdempotent && length == .none ? 1 : 0)
        setMethod(of: handle)
        handle.setFields(fieldLines())
    }

    var isSecure: Bool { url.scheme?.lowercased() == "https" }

    private func setMethod(of handle: CurlHandle) {
        // GET takes back what the other methods set.
        handle.set(CURLOPT_HTTPGET, 1)
        handle.set(CURLOPT_CUSTOMREQUEST, nil)
        switch (method, length) {
        case (.get, .none):
            break
        case (.head, _):
            // As a custom method, HEAD would wait for a body.
            handle.set(CURLOPT_NOBODY, 1)
        case (_, .none) where !method.anticipatesContent:
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        default:
            handle.set(CURLOPT_UPLOAD, 1)
            handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            handle.set(CURLOPT_INFILESIZE_LARGE, offset: length.bytes ?? -1)
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
        // Without this, libcurl waits a second for a 100 before it sends a large body.
        if length != .none { lines.append("Expect:") }
        return lines
    }

    private func isFraming(_ name: String) -> Bool {
        sameFieldName(name, "Content-Length") || sameFieldName(name, "Transfer-Encoding")
            || sameFieldName(name, "Expect")
    }
}
#endif
