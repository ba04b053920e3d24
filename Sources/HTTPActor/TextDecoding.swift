// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// Turns the bytes of a text into a `String`: by the charset of its `Content-Type`, then by its byte
/// order mark, then as UTF-8.
enum TextDecoding {
    /// Decodes a text, without its byte order mark.
    ///
    /// - Throws: ``ResponseBodyError`` of kind `undecodableText`.
    static func decode(_ data: Data, contentType: String?) throws(ResponseBodyError) -> String {
        let label = contentType.flatMap(charset)
        let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        let encoding = label.flatMap { encodings[$0] } ?? (isUTF16 ? .utf16 : .utf8)
        // Of the five bytes that Windows-1252 has no character for, Foundation makes none at all.
        let other = encoding == .windowsCP1252 ? String(data: data, encoding: .isoLatin1) : nil
        guard let text = String(data: data, encoding: encoding) ?? other else {
            throw ResponseBodyError(.undecodableText(charset: label ?? "utf-8"))
        }
        // Foundation keeps some marks.
        return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
    }

    /// The charset parameter in lower case (RFC 9110, section 8.3.1).
    ///
    /// `Text/Plain;Charset="utf-8"; x=1` gives `utf-8`. A quoted value of another parameter
    /// may hold anything.
    static func charset(of contentType: String) -> String? {
        let range = NSRange(contentType.startIndex..., in: contentType)
        for match in parameter?.matches(in: contentType, range: range) ?? [] {
            let parts = (1...3).map { Range(match.range(at: $0), in: contentType) }
            guard let name = parts[0], contentType[name].lowercased() == "charset",
                let value = parts[1] ?? parts[2]
            else { continue }
            return contentType[value].lowercased().replacingOccurrences(
                of: #"\\(.)"#, with: "$1", options: .regularExpression)
        }
        return nil
    }

    /// A name with a quoted value, with a plain one, or with none.
    private static let parameter = try? NSRegularExpression(
        pattern: #";\s*([^=;\s]*)(?:="((?:[^"\\]|\\.)*)"?|=([^;\s]*))?"#)

    /// The labels that servers use (WHATWG Encoding, section 4.2: Latin-1 and ASCII mean Windows-1252).
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "utf-16": .utf16, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian, "utf-32": .utf32, "iso-8859-9": .windowsCP1254,
        "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "us-ascii": .windowsCP1252,
        "ascii": .windowsCP1252, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    ]
}
