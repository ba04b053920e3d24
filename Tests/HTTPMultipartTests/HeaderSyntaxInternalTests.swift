// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPMultipart

struct HeaderSyntaxInternalTests {
    // RFC 9110 section 5.6.2
    @Test func tokensAreMadeOfTchar() {
        let tchar = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in UInt8.min...UInt8.max {
            #expect(HeaderSyntax.isTokenByte(byte) == tchar.utf8.contains(byte))
        }
        #expect(HeaderSyntax.isToken(tchar.utf8))
        #expect(!HeaderSyntax.isToken("".utf8))
        #expect(!HeaderSyntax.isToken("a b".utf8))
    }

    @Test func valuesHoldNoLineEndAndNoNUL() {
        #expect(HeaderSyntax.isValue("a b\té".utf8))
        for text in ["a\r", "\nb", "\0", "a\r\nb"] {
            #expect(!HeaderSyntax.isValue(text.utf8))
        }
    }

    @Test(arguments: [("", ""), (" ", ""), (" \ta b\t ", "a b"), ("a", "a")])
    func blanksAroundAValueAreCutOff(text: String, trimmed: String) {
        #expect(HeaderSyntax.trimmed(Array(text.utf8)[...]).elementsEqual(trimmed.utf8))
    }
}
