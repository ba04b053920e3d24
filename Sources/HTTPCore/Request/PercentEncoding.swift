// SPDX-License-Identifier: MIT

/// Percent-encoding of one name or value, so that no character of it can act as a delimiter.
enum PercentEncoding {
    /// Encodes all but the unreserved characters (RFC 3986, section 2.3): right for a path segment
    /// and for a name or value of a query.
    static func component(_ text: String) -> String {
        encode(text) { isAlphanumeric($0) || "-._~".utf8.contains($0) }
    }

    /// Encodes as a form does: a space is `+` (WHATWG URL, section 5.2).
    static func form(_ text: String) -> String {
        encode(text, spaceAsPlus: true) { isAlphanumeric($0) || "*-._".utf8.contains($0) }
    }

    static func formPairs(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(form($0.0))=\(form($0.1))" }.joined(separator: "&")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func encode(
        _ text: String, spaceAsPlus: Bool = false, keeping isKept: (UInt8) -> Bool
    ) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else if spaceAsPlus, byte == 0x20 {
                bytes.append(0x2B)
            } else {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
