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
        case url, method, headerName, headerValue, pathParameter, body
    }

    public let kind: Kind
    /// A sentence that names the part at fault, never with a header's value.
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    public var errorDescription: String? { description }
}
