// SPDX-License-Identifier: MIT

/// A media type, such as `application/json` (RFC 9110, section 8.3.1).
///
/// The set is open: `ContentType(rawValue: "application/vnd.api+json")` is a content type too.
public struct ContentType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let json = ContentType(rawValue: "application/json")
    public static let xml = ContentType(rawValue: "application/xml")
    public static let formURLEncoded = ContentType(rawValue: "application/x-www-form-urlencoded")
    public static let text = ContentType(rawValue: "text/plain")
    public static let html = ContentType(rawValue: "text/html")
    public static let octetStream = ContentType(rawValue: "application/octet-stream")
    public static let problemJSON = ContentType(rawValue: "application/problem+json")

    public var description: String { rawValue }
}
