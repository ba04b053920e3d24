// SPDX-License-Identifier: MIT

public import Foundation

/// A URL with places to fill, such as `https://host/users/{id}`.
///
/// Each value becomes part of one path segment: `/`, `?`, `%` and the like are percent-encoded, so
/// that a value can never reach another endpoint. Everything outside the braces stays as written.
public struct URLTemplate: Hashable, Sendable {
    /// The URL as it was written, with its places.
    public let text: String

    /// Creates a template; what is wrong with it is thrown when it is filled.
    public init(_ text: String) {
        self.text = text
    }

    /// Returns the URL with every place filled.
    ///
    /// - Parameter parameters: A value for each name in braces, not encoded.
    /// - Returns: An http or https URL.
    /// - Throws: ``InvalidRequest`` when a value is missing or not used, when it makes a segment `.`
    ///   or `..` (which no encoding can carry: RFC 3986, section 6.2.2.3) or the template has one
    ///   beside its places, when braces stand before the path, or when the result is no http or https URL.
    public func url(filling parameters: [String: String] = [:]) throws -> URL {
        func refused(_ reason: String) -> InvalidRequest {
            InvalidRequest(
                .pathParameter, "The path parameter \(reason), in \(Secrets.maskedURL(text)).")
        }
        var unused = Set(parameters.keys)
        var result = ""
        var rest = text[...]
        while let open = rest.utf8.firstIndex(of: 0x7B),
            let close = rest[open...].firstIndex(of: "}")
        {
            result += rest[..<open]
            // Past scheme and host.
            guard result.range(of: "://[^/?]*[/?]", options: .regularExpression) != nil else {
                throw refused("must stand after http:// or https:// and a host")
            }
            let name = String(rest[rest.index(after: open)..<close])
            guard let value = parameters[name] else { throw refused("{\(name)} has no value") }
            unused.remove(name)
            result += PercentEncoding.component(value)
            rest = rest[rest.index(after: close)...]
        }
        result += rest
        if let name = unused.min() { throw refused("\(name) does not occur") }
        if !parameters.isEmpty {
            let segments = result.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            if segments.contains(where: { [".", ".."].contains($0.removingPercentEncoding) }) {
                throw refused("makes a segment of dots")
            }
        }
        if result.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw InvalidRequest(.url, "The URL holds a control character.")
        }
        guard let url = URL(string: result) else {
            throw InvalidRequest(.url, "\(Secrets.maskedURL(result).debugDescription) is no URL.")
        }
        try RequestValidation.check(url)
        return url
    }
}

extension URLTemplate: CustomStringConvertible, CustomReflectable {
    /// As it was written, a secret masked.
    public var description: String { Secrets.maskedURL(text) }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
