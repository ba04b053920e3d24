// SPDX-License-Identifier: MIT

public import Foundation

/// A request that can't be sent as it is.
///
/// Thrown before anything is sent.
///
/// ```
/// InvalidRequest
/// ├── url                  no http or https URL with a host, or a control character in it
/// ├── method               no token (RFC 9110, section 9.1)
/// ├── headerName           no token (section 5.1)
/// ├── headerValue          holds CR, LF or NUL (section 5.5)
/// ├── pathParameter        missing, unused, or a segment `.` or `..`
/// └── body                 a body where the method has none, or one that can't be encoded
/// ```
public struct InvalidRequest: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// What is wrong.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind, for a transport of your own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No http or https URL with a host, or one that holds a control character.
        public static let url = Kind(rawValue: "url")
        /// The method is no token.
        public static let method = Kind(rawValue: "method")
        /// The name of a header field is no token.
        public static let headerName = Kind(rawValue: "headerName")
        /// The value of a header field holds CR, LF or NUL.
        public static let headerValue = Kind(rawValue: "headerValue")
        /// A path parameter is missing, not used, or makes a segment `.` or `..`.
        public static let pathParameter = Kind(rawValue: "pathParameter")
        /// A body where the method has none, or one that can't be encoded.
        public static let body = Kind(rawValue: "body")
    }

    /// What is wrong.
    public let kind: Kind
    /// A sentence that names the part at fault.
    ///
    /// It never holds a header's value.
    public let description: String

    /// Creates an error, for a transport of your own.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    public var errorDescription: String? { description }
}
