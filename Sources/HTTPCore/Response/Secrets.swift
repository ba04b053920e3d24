// SPDX-License-Identifier: MIT

package import Foundation

/// What must not show in a description, an excerpt or a log.
enum Secrets {
    static let mask = "•••"

    /// Whether a header field, a JSON member, a form field or a query item holds a secret, judged by its name.
    static func isSecretName(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        let isKey = plain.hasSuffix("key") && !keysOfNoSecret.contains { plain.hasSuffix($0) }
        // An escape may hide any name.
        return plain.contains("\\u") || isKey || parts.contains { plain.contains($0) }
            || whole.contains(plain)
    }

    private static let parts = [
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "jwt",
        "accesskey", "privatekey", "authorization", "credential", "sessionid", "sessid", "bearer",
        "signature", "xauth", "assertion", "verifier", "otpcode", "authcode", "cardnumber",
    ]
    private static let keysOfNoSecret = ["idempotencykey", "publickey"]
    private static let whole: Set<String> = [
        "auth", "pw", "pass", "pin", "otp", "sid", "session", "sig", "cvv", "cvv2", "cvc", "ssn",
        "cookie", "setcookie", "xsession", "xotp", "dpop", "securitycode", "totp", "pincode",
    ]

    /// Whether a body is a form in parts, whose names a mask could not go by.
    static func areParts(_ body: Data, _ contentType: String?) -> Bool {
        contentType?.lowercased().contains("multipart/") == true
            || body.range(of: Data("form-data;".utf8)) != nil
    }

    /// The text with the values of secret JSON members and form fields masked, also when it is cut, the users
    /// and passwords of URLs, of which one that the text starts with may be written against the rules, and
    /// credentials after their scheme.
    ///
    /// Names beside the usual ones are in lower case.
    static func masked(_ text: String, also names: Set<String> = []) -> String {
        let json = replacing(jsonMember, in: text, by: "\"\(mask)\"", names)
        return replacing(formField, in: json, by: mask, names).replacingOccurrences(
            of: #"(?<=^https?://)[^/?#]*(?=@)|(?<=:\\?/\\?/)[^/?#\s"\\]*(?=@)"# + credentials,
            with: mask, options: .regularExpression)
    }

    /// After the schemes of RFC 6750 and RFC 7617.
    ///
    /// "Basic" is a word of prose too: a word of small letters after it is taken for no base64.
    private static let credentials =
        #"|(?<=\b(?i:Bearer) )[\w.~+/=-]{4,}|(?<=\b(?i:Basic) )(?=[a-z]*[A-Z0-9+/=])[\w+/=-]{4,}"#

    /// A URL, or what was meant as one, masked: where no host and port can be made out, all before the last `@`
    /// may be a password.
    static func maskedURL(_ text: String) -> String {
        func end(of form: String) -> String.Index? {
            text.range(of: "(?i)^\(form)", options: .regularExpression)?.upperBound
        }
        let scheme = "[a-z][a-z0-9+.-]*:"
        let host = #"([^/?#]*@)?(\[[^/?#@]*\]|[^:/?#@\[\]]+)(:[0-9]*)?([/?#]|$)"#
        guard let at = text.lastIndex(of: "@"), end(of: "\(scheme)//\(host)") == nil else {
            return masked(text)
        }
        let start = end(of: "(\(scheme))?//") ?? text.startIndex
        return text[..<start] + mask + masked(String(text[at...]))
    }

    /// Replaces the second group of each match whose first group is the name of a secret.
    private static func replacing(
        _ form: NSRegularExpression?, in text: String, by mask: String, _ names: Set<String>
    ) -> String {
        var masked = ""
        var rest = text.startIndex
        for match in form?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? [] {
            guard let name = Range(match.range(at: 1), in: text),
                let value = Range(match.range(at: 2), in: text),
                isSecretName(String(text[name])) || names.contains(text[name].lowercased())
            else { continue }
            masked += text[rest..<value.lowerBound] + mask
            // Where a container ends is not looked for: nothing after its start is shown.
            if text[value] == "{" || text[value] == "[" { return masked }
            rest = value.upperBound
        }
        return masked + text[rest...]
    }

    /// A JSON member with a string, which may be cut, a container's first character or a bare value.
    private static let jsonMember = try? NSRegularExpression(
        pattern: #""((?:[^"\\]|\\.)*+)"\s*+:\s*+"#
            + #"("(?:[^"\\]|\\.)*+(?:"|\\?$)|[\[{]|[^\s,}\]]++)"#)
    /// A name starts where none of its characters stands before, so that a long text is read once.
    ///
    /// The fragment of a URL may have names of its own.
    private static let formField = try? NSRegularExpression(
        pattern: #"(?<![\w.\-\[\]%])([\w.\-\[\]%]++)=((?:[^&#\s"]|#(?![\w.\-\[\]%]++=))*+)"#)

    /// The text without the values that a request carried in secret places, should a server echo them.
    static func masked(_ text: String, valuesOf request: HTTPRequest) -> String {
        var text = text
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:]
        where request.isSecret(name) && !value.isEmpty {
            // Of `Bearer abc`, the part after the scheme alone is a secret too.
            for secret in [value, value.split(separator: " ").last.map(String.init) ?? value]
            where secret.utf8.count >= 4 {
                text = text.replacingOccurrences(of: secret, with: mask)
                // A text that is cut may end within one.
                let lengths = stride(from: min(secret.count, 400) - 1, through: 4, by: -1)
                if let cut = lengths.first(where: { text.hasSuffix(secret.prefix($0) + "…") }) {
                    text = text.dropLast(cut + 1) + mask + "…"
                }
            }
        }
        return text
    }
}

extension URL {
    /// The URL without its query and fragment, and without a user and password.
    package var withoutQuery: String {
        String(maskingSecrets.prefix { $0 != "?" && $0 != "#" })
    }

    /// The URL with its password, and query items named like a secret, masked.
    var maskingSecrets: String { Secrets.maskedURL(absoluteString) }
}
