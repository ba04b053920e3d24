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
        let sends = hasBody || method.anticipatesContent
        let body = method == .head ? DUET_BODY_HEAD : sends ? DUET_BODY_SENT : DUET_BODY_NONE
        duet_setopt_request(
            handle.easy, text, method.rawValue, body, length.map { Int($0) } ?? -1,
            isSecure ? 1 : 0, method.isIdempotent ? 1 : 0, connectLimit)
        handle.setFields(lines)
    }

    /// The field lines, sorted by name: the `URLRequest`'s own have no order.
    private static func lines(_ request: HTTPRequest, hasBody: Bool) -> [String] {
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        var lines = fields.filter { !framing.contains($0.key.lowercased()) }
            .sorted { $0.key < $1.key }.map { name, value in
                // libcurl's form for a field with no value; `Name:` alone would leave it out.
                value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                    ? "\(name);" : "\(name): \(value)"
            }
        // Without this, libcurl waits a second for a 100 before it sends a large body.
        if hasBody { lines.append("Expect:") }
        // A part of a coded answer can't be decoded.
        let has = { name in fields.keys.contains { sameFieldName($0, name) } }
        if has("Range"), !has("Accept-Encoding") { lines.append("Accept-Encoding: identity") }
        return lines
    }

    private static let framing: Set = ["content-length", "transfer-encoding", "expect"]
}
#endif
