// SPDX-License-Identifier: MIT

public import Foundation

extension URL {
    /// Returns the URL with parameters added to its query, sorted by name.
    ///
    /// What is there stays as it is. In a name or value everything but letters, digits and `-._~` is
    /// percent-encoded, so `+`, `&`, `=` and `#` arrive as given. No parameters, no `?`.
    ///
    /// - Parameter params: Names and values, not encoded.
    /// - Returns: The longer URL.
    public func appendingGetParameters(_ params: [String: String]) -> URL {
        appendingGetParameters(params.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Returns the URL with parameters added to its query, in the order given, repeats kept.
    ///
    /// - Parameter params: Names and values, not encoded.
    /// - Returns: The longer URL.
    public func appendingGetParameters(_ params: [(String, String)]) -> URL {
        guard !params.isEmpty else { return self }
        let added = params.map {
            "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))"
        }.joined(separator: "&")
        let text = absoluteString
        let fragmentStart = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<fragmentStart]
        let query = base.firstIndex(of: "?").map { base[$0...] }
        let separator = query == nil ? "?" : query == "?" || base.hasSuffix("&") ? "" : "&"
        return URL(string: base + separator + added + text[fragmentStart...]) ?? self
    }

    /// Returns the URL that a relative reference names, seen from this one (RFC 3986, section 5.2).
    ///
    /// `https://host/todos/` and `7` give `https://host/todos/7`; without the slash at the end, `7`
    /// replaces `todos`. Text that is no reference is taken as one path segment.
    ///
    /// - Parameter string: A path, a query, or a whole URL.
    /// - Returns: An absolute URL.
    public func appendingRelative(_ string: String) -> URL {
        let url =
            URL(string: string, relativeTo: self)
            ?? URL(string: PercentEncoding.component(string), relativeTo: self)
        return url?.absoluteURL ?? self
    }

    /// Scheme, host and port, the port filled in where the scheme implies it (RFC 6454, section 4).
    package var origin: String {
        let scheme = (scheme ?? "").lowercased()
        return "\(scheme)://\((host ?? "").lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
