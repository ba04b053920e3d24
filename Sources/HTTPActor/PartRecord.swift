// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// What the kept part of a download is a part of: a pure value.
struct PartRecord: Codable, Equatable {
    let url: String
    /// A strong entity tag, or a date that is as good as one.
    let validator: String
    /// The length of the whole, where the server said it.
    let total: Int64?
}

extension PartRecord {
    /// Reads an answer that is sent whole; nil when a rest of it could not be asked for.
    init?(of response: HTTPResponse, request: HTTPRequest) {
        guard let url = request.urlRequest.url, !response.isCoded,
            response.headers["Accept-Ranges"]?.lowercased() != "none",
            let validator = Self.validator(response.headers)
        else { return nil }
        self.init(url: url.absoluteString, validator: validator, total: response.length)
    }

    /// What goes into `If-Range` (RFC 9110, section 13.1.5).
    ///
    /// A date only where there is no entity tag, and where it is a strong validator: the file had not
    /// changed for a minute when it was sent (section 8.8.2.2).
    private static func validator(_ headers: HTTPFields) -> String? {
        if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
        guard let text = headers["Last-Modified"], let modified = HTTPDate.parse(text),
            let sent = headers["Date"].flatMap(HTTPDate.parse),
            sent.timeIntervalSince(modified) >= 60
        else { return nil }
        return text
    }

    /// Whether an answer to a range can be of the same content.
    func matches(_ response: HTTPResponse, total: Int64?) -> Bool {
        if response.isCoded { return false }
        if let total, let known = self.total, total != known { return false }
        guard let tag = response.headers["ETag"], validator.hasPrefix("\"") else { return true }
        return tag == validator
    }
}

/// `Content-Range` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// Nil: the server does not know it.
    let total: Int64?

    /// Reads `bytes 5-9/10` or `bytes 5-9/*`.
    init?(_ text: String) {
        guard let (range, total) = Self.parts(text) else { return nil }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < .max, total == "*" || Self.number(total) ?? 0 > last
        else { return nil }
        (self.first, self.last, self.total) = (first, last, Self.number(total))
    }

    /// Reads `bytes */10`.
    static func unsatisfied(_ text: String) -> Int64? {
        guard let (range, total) = parts(text), range == "*" else { return nil }
        return number(total)
    }

    private static func parts(_ text: String) -> (Substring, Substring)? {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    fileprivate static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }
}

extension HTTPResponse {
    /// The length of the body that is handed out, where the head says it.
    var length: Int64? {
        isCoded ? nil : headers["Content-Length"].flatMap { ContentRange.number($0[...]) }
    }

    /// Whether a content coding was undone on the way.
    fileprivate var isCoded: Bool {
        headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
    }
}
