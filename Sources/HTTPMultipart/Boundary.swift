// SPDX-License-Identifier: MIT

/// The string that separates the parts of one form.
struct Boundary: Sendable {
    let text: String
    private let search: ByteSearch

    /// Creates a boundary, nil when the text is not one that RFC 2046 section 5.1.1 allows.
    init?(_ text: String) {
        guard Boundary.isLegal(text.utf8) else { return nil }
        self.init(legal: text)
    }

    private init(legal text: String) {
        self.text = text
        self.search = ByteSearch(Array(text.utf8))
    }

    /// Returns a boundary from 142 bits of the system's secure randomness.
    ///
    /// Letters and digits need no quotes in `Content-Type`, which some servers do not read.
    static func random() -> Boundary {
        Boundary(legal: "duet-" + randomText(length: 24))
    }

    /// Returns random letters and digits.
    static func randomText(length: Int) -> String {
        let alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        return String((0..<length).compactMap { _ in alphabet.randomElement() })
    }

    /// The boundary as a parameter value: bare when it is a token, else in quotes.
    ///
    /// RFC 2046 allows characters that RFC 2045 section 5.1 wants quoted.
    var parameterValue: String {
        text.utf8.allSatisfy(HeaderSyntax.isTokenByte) ? text : "\"\(text)\""
    }

    /// Says whether these bytes hold the boundary anywhere, at a line's start or not.
    func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
        search.first(in: bytes) != nil
    }

    /// Says whether RFC 2046 section 5.1.1 allows this boundary: 1 to 70 `bchars`, no space last.
    static func isLegal(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard (1...70).contains(text.count), text.last != UInt8(ascii: " ") else { return false }
        return text.allSatisfy {
            HeaderSyntax.isAlphanumeric($0) || "'()+_,-./:=? ".utf8.contains($0)
        }
    }
}
