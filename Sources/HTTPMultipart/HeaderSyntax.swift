// SPDX-License-Identifier: MIT

/// The rules for header names and values, for writing them and for reading them.
enum HeaderSyntax {
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "A"..."Z", "a"..."z": true
        default: false
        }
    }

    /// Says whether a byte may stand in a token, RFC 9110 section 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(isTokenByte)
    }

    /// Says whether these bytes may be a value: no CR, LF or NUL, RFC 9110 section 5.5.
    static func isValue(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Returns the value without the blanks around it, RFC 9110 section 5.6.3.
    static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = value.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start }
        return start[...last]
    }
}
