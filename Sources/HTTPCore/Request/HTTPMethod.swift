// SPDX-License-Identifier: MIT

/// A request method, such as `GET` (RFC 9110, section 9).
///
/// The set is open: `HTTPMethod(rawValue: "PURGE")` is a method too. Methods are case-sensitive. One
/// that is no token of RFC 9110, section 5.6.2 is refused before anything is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from text, which is sent as given: methods are case-sensitive.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads what the URL names.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads what `GET` would answer, without the body.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Hands the body to the URL, which decides what to do with it.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces what the URL names by the body.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes what the URL names, as the body says (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes what the URL names.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what can be done with the URL.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks for the request as it arrived.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    public var description: String { rawValue }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool {
        Self.idempotent.contains(self)
    }

    private static let idempotent = [get, head, put, delete, options, trace]

    /// Whether a request of this method says `Content-Length: 0` when it has no body
    /// (RFC 9110, section 8.6): every method that may carry content.
    var anticipatesContent: Bool { self == .put || !isIdempotent }
}
