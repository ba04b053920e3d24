// SPDX-License-Identifier: MIT

internal import Foundation

/// Percent-encoding of one name or value, so that no character of it can act as a delimiter.
enum PercentEncoding {
    private static let alphanumerics =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let unreserved = CharacterSet(charactersIn: alphanumerics + "-._~")
    private static let keptInForm = CharacterSet(charactersIn: alphanumerics + "*-._ ")

    /// Encodes all but the unreserved characters (RFC 3986, section 2.3): right for a path segment
    /// and for a name or value of a query.
    static func component(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Encodes as a form does: a space is `+` (WHATWG URL, section 5.2).
    static func form(_ text: String) -> String {
        let encoded = text.addingPercentEncoding(withAllowedCharacters: keptInForm) ?? ""
        return encoded.replacingOccurrences(of: " ", with: "+")
    }
}
