// SPDX-License-Identifier: MIT

public import Foundation

extension URLRequest {
    /// Creates a request with a method.
    public init(method: HTTPMethod, url: URL) {
        self.init(url: url)
        if method != .get { httpMethod = method.rawValue }
    }

    /// Sets `Accept`: the media type that the answer should have (RFC 9110, section 12.5.1).
    public mutating func setHeaderAccept(_ contentType: ContentType) {
        setValue(contentType.rawValue, forHTTPHeaderField: "Accept")
    }

    /// Sets `Content-Type`: the media type of the body (RFC 9110, section 8.3).
    public mutating func setHeaderContentType(_ contentType: ContentType) {
        setValue(contentType.rawValue, forHTTPHeaderField: "Content-Type")
    }

    /// Sets a header field, or says why it can't be sent.
    ///
    /// Prefer it to `setValue(_:forHTTPHeaderField:)`, which on Linux drops a field whose value holds
    /// a line end without a word.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110, section 5.1), in any letter case.
    ///   - value: Text without CR, LF and NUL; nil removes the field.
    /// - Throws: ``InvalidRequest`` of kind `headerName` or `headerValue`.
    public mutating func setHeader(_ name: String, _ value: String?) throws {
        try RequestValidation.check(name: name, value: value ?? "")
        setValue(value, forHTTPHeaderField: name)
    }
}
