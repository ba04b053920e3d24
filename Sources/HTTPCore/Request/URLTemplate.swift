// SPDX-License-Identifier: MIT

public import Foundation

/// A URL with places to fill, such as `https://host/users/{id}`.
///
/// Each value becomes part of one path segment: `/`, `?`, `%` and the like are percent-encoded, so
/// that a value can never reach another endpoint. Everything outside the braces stays as written.
public struct URLTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The URL as it was written, with its places.
    public let text: String

    /// Creates a template; what is wrong with it is thrown when it is filled.
    public init(_ text: String) {
        self.text = text
    }

    public init(stringLiteral value: String) {
        text = value
    }

    /// Returns the URL with every place filled.
    ///
    /// - Parameter parameters: A value for each name in braces, not encoded.
    /// - Returns: An http or https URL.
    /// - Throws: ``InvalidRequest`` when a value is missing or not used, when it makes a segment `.`
    ///   or `..` (which no encoding can carry: RFC 3986, section 6.2.2.3), when braces stand outside
    ///   path and query, or when the result is no http or https URL.
    public func url(filling parameters: [String: String] = [:]) throws -> URL {
        var unused = Set(parameters.keys)
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            guard Self.isPastAuthority(result) else {
                throw InvalidRequest(
                    .pathParameter, "A path parameter can't stand before the path in \(text).")
            }
            let name = String(rest[rest.index(after: open)..<close])
            guard let value = parameters[name] else {
                throw InvalidRequest(.pathParameter, "The path parameter {\(name)} has no value.")
            }
            unused.remove(name)
            result += PercentEncoding.component(value)
            rest = rest[rest.index(after: close)...]
        }
        result += rest
        if let name = unused.min() {
            throw InvalidRequest(
                .pathParameter, "The path parameter \(name) does not occur in \(text).")
        }
        if !parameters.isEmpty {
            try Self.checkSegments(of: result, template: text)
        }
        if result.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw InvalidRequest(.url, "The URL holds a control character.")
        }
        guard let url = URL(string: result) else {
            throw InvalidRequest(.url, "\(result.debugDescription) is no URL.")
        }
        try RequestValidation.check(url)
        return url
    }

    private static func isPastAuthority(_ text: String) -> Bool {
        guard let scheme = text.range(of: "://") else { return false }
        return text[scheme.upperBound...].contains { $0 == "/" || $0 == "?" }
    }

    private static func checkSegments(of url: String, template: String) throws {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let plain = segment.replacingOccurrences(
                of: "%2e", with: ".", options: .caseInsensitive)
            if plain == "." || plain == ".." {
                throw InvalidRequest(
                    .pathParameter,
                    "A path parameter makes a segment \(plain.debugDescription) in \(template).")
            }
        }
    }
}
