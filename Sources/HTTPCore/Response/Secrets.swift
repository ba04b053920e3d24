// SPDX-License-Identifier: MIT

package import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What must not show in a description, an excerpt or a log.
package enum Secrets {
    static let mask = "•••"

    /// Whether a header field's value is a secret: the fields of credentials, and names like one.
    static func isSecretHeader(_ name: String) -> Bool {
        ["cookie", "set-cookie"].contains(name.lowercased()) || isSecretName(name)
    }

    /// Whether a JSON member, a form field or a query item holds a secret, judged by its name.
    static func isSecretName(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return parts.contains { plain.contains($0) } || whole.contains(plain)
    }

    private static let parts = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey",
        "authorization", "credential", "sessionid", "signature",
    ]
    private static let whole: Set<String> = [
        "auth", "pw", "pwd", "pass", "pin", "otp", "jwt", "sid", "session", "sig", "cvv", "cvc",
        "xauth",
    ]

    /// The text with the values of secret JSON members and form fields masked, also when it is cut.
    static func masked(_ text: String) -> String {
        var masked = ""
        var rest = text.startIndex
        let range = NSRange(text.startIndex..., in: text)
        for match in member?.matches(in: text, range: range) ?? [] {
            // Groups 1 and 2: a JSON member's name and value; 3 and 4: a form field's.
            let isJSON = match.range(at: 1).location != NSNotFound
            guard let name = Range(match.range(at: isJSON ? 1 : 3), in: text),
                let value = Range(match.range(at: isJSON ? 2 : 4), in: text),
                isSecretName(String(text[name]))
            else { continue }
            // What a masked container held matches again inside it.
            guard value.lowerBound >= rest else { continue }
            masked += text[rest..<value.lowerBound] + (isJSON ? "\"\(mask)\"" : mask)
            rest = value.upperBound
            if isJSON, text[value].first == "{" || text[value].first == "[" { rest = text.endIndex }
        }
        return masked + text[rest...]
    }

    /// A JSON member with a string, a container's first character or a bare value; or `name=value`.
    private static let member = try? NSRegularExpression(
        pattern: #""((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*(?:"|\\?$)|[\[{]|[^\s,}\]]+)"#
            + #"|([A-Za-z0-9_.\-\[\]%]+)=([^&\s"]*)"#
    )

    /// The text without the values that a request carried in secret places, should a server echo them.
    package static func masked(_ text: String, valuesOf request: HTTPRequest) -> String {
        var text = text
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:]
        where request.isSecret(name) && !value.isEmpty {
            // Of `Bearer abc`, the part after the scheme alone is a secret too.
            for secret in [value, value.split(separator: " ").last.map(String.init) ?? value]
            where secret.utf8.count >= 4 {
                text = text.replacingOccurrences(of: secret, with: mask)
            }
        }
        return text
    }
}

extension URL {
    /// The URL without its query and fragment, and without a user and password.
    package var withoutQuery: String {
        let text = maskingSecrets
        return String(text.prefix { $0 != "?" && $0 != "#" })
    }

    /// The URL with its password, and query items named like a secret, masked.
    package var maskingSecrets: String {
        var text = Secrets.masked(absoluteString)
        if let scheme = text.range(of: "://") {
            let authority = text[scheme.upperBound...].prefix {
                $0 != "/" && $0 != "?" && $0 != "#"
            }
            if let at = authority.lastIndex(of: "@") {
                text.replaceSubrange(authority.startIndex..<at, with: Secrets.mask)
            }
        }
        return text
    }
}
