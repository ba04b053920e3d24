// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

@testable import HTTPActor

struct TextDecodingInternalTests {
    // O-29, O-30
    @Test(
        arguments: [
            ("text/html; charset=ISO-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            (#"Text/Plain;Charset="utf-8"; x=1"#, [0xC3, 0xA9], "é"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x68, 0x00, 0x69, 0x00], "hi"),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x68, 0x00, 0x69], "hi"),
            ("text/plain; charset=utf-16le", [0x68, 0x00], "h"),
            ("text/plain; charset=utf-16le", [0xFF, 0xFE, 0x68, 0x00], "h"),
            ("text/plain; charset=UTF-16BE", [0x00, 0x68], "h"),
            ("text/plain;charset=windows-1252", [0x80], "€"),
            ("text/plain;charset=latin1", [0x80, 0xFC], "€ü"),
            // WHATWG Encoding, index windows-1252: five bytes stand for control characters.
            ("text/plain;charset=latin1", [0x81, 0xE9], "\u{81}é"),
            ("text/plain;charset=us-ascii", [0x61], "a"),
            ("text/plain;charset=windows-1251", [0xFF], "я"),
            ("text/plain;charset=windows-1250", [0xE8], "č"),
            ("text/plain;charset=iso-8859-2", [0xE8], "č"),
            ("text/plain;charset=windows-1253", [0xE1], "α"),
            ("text/plain;charset=iso-8859-9", [0xFE], "ş"),
            ("text/plain;charset=Shift_JIS", [0x82, 0xA0], "あ"),
            ("text/plain;charset=utf-8", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "{}"),
            ("text/plain;charset=never-heard-of", [0xC3, 0xA9], "é"),
            ("text/plain;charset=", [0xC3, 0xA9], "é"),
            ("text/plain", [0xC3, 0xA9], "é"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain", [0xFF, 0xFE, 0x68, 0x00], "h"),
            ("text/plain", [0xFE, 0xFF, 0x00, 0x68], "h"),
            (nil, [0xC3, 0xA9], "é"),
            (nil, [], ""),
            ("text/plain; charset=utf-16", [], ""),
        ] as [(String?, [UInt8], String)]
    )
    func theCharsetDecidesThenTheMarkThenUTF8(
        contentType: String?,
        bytes: [UInt8],
        text: String
    ) throws {
        #expect(try TextDecoding.decode(Data(bytes), contentType: contentType) == text)
        // A slice does not start at zero.
        let slice = Data([0x7A] + bytes).dropFirst()
        #expect(try TextDecoding.decode(slice, contentType: contentType) == text)
    }

    @Test(
        arguments: [
            (nil, [0xE9], "utf-8"), ("text/plain", [0xC3, 0x28], "utf-8"),
            ("text/plain; charset=UTF-8", [0xFF], "utf-8"),
        ] as [(String?, [UInt8], String)]
    )
    func bytesThatAreNoSuchTextAreAnError(contentType: String?, bytes: [UInt8], charset: String) {
        let error = #expect(throws: ResponseBodyError.self) {
            try TextDecoding.decode(Data(bytes), contentType: contentType)
        }
        #expect(error?.kind == .undecodableText(charset: charset))
    }

    // RFC 9110, section 8.3.1
    @Test(
        arguments: [
            ("text/html;charset=utf-8", "utf-8"),
            ("Text/HTML;Charset=\"utf-8\"", "utf-8"),
            ("text/html; charset=\"utf-8\"", "utf-8"),
            ("text/html;charset=UTF-8", "utf-8"),
            ("text/html ; a=b ;\tcharset=utf-8 ; c", "utf-8"),
            ("text/html; x=\"; charset=latin1\"; charset=utf-8", "utf-8"),
            (#"text/html; x="\"; charset=latin1"; charset="u\tf-8""#, "utf-8"),
            ("text/html; flag; charset=utf-8", "utf-8"),
            ("text/html; xcharset=latin1", nil),
            ("text/html; x=\"charset=latin1", nil),
            ("text/html", nil),
            ("charset=utf-8", nil),
            ("", nil),
            (";;; ;", nil),
            ("text/html;=;==;charset", nil),
        ] as [(String, String?)]
    )
    func theCharsetIsReadFromTheParameter(contentType: String, charset: String?) {
        #expect(TextDecoding.charset(of: contentType) == charset)
    }
}
