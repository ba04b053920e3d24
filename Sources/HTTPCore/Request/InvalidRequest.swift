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
    public enum Kind: String, Hashable, Sendable {
        /// No http or https URL with a host, or one that holds a control character.
        case url
        /// The method is no token.
        case method
        /// The name of a header field is no token.
        case headerName
        /// The value of a header field holds CR, LF or NUL.
        case headerValue
        /// A path parameter is missing, not used, or makes a segment `.` or `..`.
        case pathParameter
        /// A body where the method has none, or one that can't be encoded.
        case body
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
