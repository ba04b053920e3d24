// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPMultipart

struct BoundaryInternalTests {
    // RFC 2046 section 5.1.1: bchars, 1 to 70 of them, no space last.
    @Test(arguments: [
        ("a", "a"),
        ("'_+-.", "'_+-."),
        ("gc0pJq0M:08jU534c0p", "\"gc0pJq0M:08jU534c0p\""),
        ("(),/:=? x", "\"(),/:=? x\""),
        (String(repeating: "x", count: 70), String(repeating: "x", count: 70)),
    ])
    func aLegalBoundaryIsTakenAndQuotedWhereNeeded(text: String, parameterValue: String) {
        #expect(Boundary(text)?.parameterValue == parameterValue)
    }

    @Test(arguments: [
        "", " ", "a ", "é", "a\r\nb", "a\0", "a\"b", "a;b", "a*b",
        String(repeating: "x", count: 71),
    ])
    func anIllegalBoundaryIsRefused(text: String) {
        #expect(Boundary(text) == nil)
    }

    @Test func aRandomBoundaryIsALegalToken() {
        let boundary = Boundary.random()
        #expect(Boundary(boundary.text) != nil)
        #expect(boundary.parameterValue == boundary.text)
        #expect(boundary.text.utf8.count == 29)
    }

    @Test func aBoundaryIsFoundAnywhere() throws {
        let boundary = try #require(Boundary("XX"))
        for (text, occurs) in [("XX", true), ("aXXa", true), ("XaX", false), ("", false)] {
            let found = Array(text.utf8).withUnsafeBytes { boundary.occurs(in: $0) }
            #expect(found == occurs)
        }
    }
}
