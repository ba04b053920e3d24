// SPDX-License-Identifier: MIT

/// A request method, such as `GET` (RFC 9110, section 9).
///
/// The set is open: `HTTPMethod(rawValue: "PURGE")` is a method too. Methods are case-sensitive. One
/// that is no token of RFC 9110, section 5.6.2 is refused before anything is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    public static let patch = HTTPMethod(rawValue: "PATCH")
    public static let delete = HTTPMethod(rawValue: "DELETE")
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    public static let trace = HTTPMethod(rawValue: "TRACE")

    public var description: String { rawValue }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace].contains(self)
    }

    /// Whether a request of this method says `Content-Length: 0` when it has no body
    /// (RFC 9110, section 8.6): every method that may carry content.
    var anticipatesContent: Bool { self == .put || !isIdempotent }
}
