// SPDX-License-Identifier: MIT

/// A media type, such as `application/json` (RFC 9110, section 8.3.1).
///
/// The set is open: `ContentType(rawValue: "application/vnd.api+json")` is a content type too.
public struct ContentType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The media type as it is sent.
    public let rawValue: String

    /// Creates a content type from text, which is sent as given.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JSON (RFC 8259).
    public static let json = ContentType(rawValue: "application/json")
    /// XML (RFC 7303).
    public static let xml = ContentType(rawValue: "application/xml")
    /// A form, as HTML sends one by default.
    public static let formURLEncoded = ContentType(rawValue: "application/x-www-form-urlencoded")
    /// Plain text.
    public static let text = ContentType(rawValue: "text/plain")
    /// HTML.
    public static let html = ContentType(rawValue: "text/html")
    /// Bytes of any kind.
    public static let octetStream = ContentType(rawValue: "application/octet-stream")
    /// Server-Sent Events (WHATWG HTML, section 9.2).
    public static let eventStream = ContentType(rawValue: "text/event-stream")
    /// What went wrong, for people and programs (RFC 9457).
    public static let problemJSON = ContentType(rawValue: "application/problem+json")

    public var description: String { rawValue }
}
