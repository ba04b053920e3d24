// SPDX-License-Identifier: MIT

/// A header value with parameters, such as `form-data; name="a"; filename="b;c.txt"`.
struct HeaderParameters: Equatable {
    /// What stands before the first semicolon, in lower case.
    let value: String
    /// The parameters by name in lower case, their quotes removed.
    let parameters: [String: String]

    /// Reads `value *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )`, RFC 9110 section 5.6.6.
    ///
    /// A backslash is an escape only before a quote that does not end the string: browsers write
    /// backslashes as they are (WHATWG HTML section 4.10.22.8), older clients escape quotes.
    ///
    /// - Returns: nil when the bytes break the grammar or a name comes twice.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = Cursor(rest: bytes)
        let value = cursor.take { $0 != UInt8(ascii: ";") }
        var parameters: [String: String] = [:]
        while cursor.skip(UInt8(ascii: ";")) {
            cursor.skipBlanks()
            let name = cursor.take(while: HeaderSyntax.isTokenByte)
            if name.isEmpty, cursor.isAtEndOfParameter { continue }
            guard !name.isEmpty, cursor.skip(UInt8(ascii: "=")),
                let text = cursor.takeValue(), cursor.isAtEndOfParameter,
                // A second value for one name lets two readers see two names.
                parameters.updateValue(text, forKey: lowercased(name)) == nil
            else { return nil }
        }
        self.value = lowercased(HeaderSyntax.trimmed(value))
        self.parameters = parameters
    }
}

private func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
}

/// The bytes of a header value that are still to be read.
private struct Cursor {
    var rest: ArraySlice<UInt8>

    /// Moves past blanks and says whether a semicolon or the end follows.
    var isAtEndOfParameter: Bool {
        mutating get {
            skipBlanks()
            return [nil, UInt8(ascii: ";")].contains(rest.first)
        }
    }

    mutating func skipBlanks() {
        rest = rest.drop(while: HeaderSyntax.isBlank)
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return taken
    }

    mutating func takeValue() -> String? {
        guard rest.first != UInt8(ascii: "\"") else { return takeQuoted() }
        // Wider than a token: clients leave out quotes around `a/b` and around UTF-8.
        let text = take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\"") && $0 > 0x20 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private mutating func takeQuoted() -> String? {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\"") else {
                text.append(byte)
                continue
            }
            var after = self
            guard text.last == UInt8(ascii: "\\"), !after.isAtEndOfParameter else {
                return String(decoding: text, as: UTF8.self)
            }
            text[text.count - 1] = byte
        }
        return nil
    }
}
