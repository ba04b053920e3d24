// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPMultipart

struct ContentDispositionInternalTests {
    @Test(arguments: [
        ("a", "a"),
        ("", ""),
        ("\"", "%22"),
        ("\"\u{301}", "%22\u{301}"),
        ("\r", "%0D%0A"),
        ("\n", "%0D%0A"),
        ("\r\n", "%0D%0A"),
        ("\n\r", "%0D%0A%0D%0A"),
        ("\r\r\n\n", "%0D%0A%0D%0A%0D%0A"),
        ("100%25 'a' \\ / ; é 😀\t", "100%25 'a' \\ / ; é 😀\t"),
    ])
    func namesAreWrittenAsBrowsersDo(name: String, escaped: String) {
        #expect(ContentDisposition.escaped(name).utf8.elementsEqual(escaped.utf8))
    }

    @Test(arguments: [
        ("%22%0D%0A", "\"\r\n"),
        ("%0d%0a", "\r\n"),
        ("%0A\u{301}", "\n\u{301}"),
        ("%%220A", "%\"0A"),
        ("%25%41%2", "%25%41%2"),
        ("%", "%"),
        ("%é", "%é"),
    ])
    func namesAreReadAsBrowsersWriteThem(text: String, name: String) {
        #expect(ContentDisposition.unescaped(text).utf8.elementsEqual(name.utf8))
    }

    @Test func aDispositionIsWrittenAndRead() {
        let disposition = ContentDisposition(name: "a\"b", filename: "c\r\nd;e")
        #expect(disposition.value == #"form-data; name="a%22b"; filename="c%0D%0Ad;e""#)
        #expect(ContentDisposition(Array(disposition.value.utf8)[...]) == disposition)
        #expect(ContentDisposition(name: "a").value == #"form-data; name="a""#)
    }

    @Test(arguments: ["form-data", "attachment; name=a", "form-data; filename=a", ""])
    func anotherDispositionIsRefused(text: String) {
        #expect(ContentDisposition(Array(text.utf8)[...]) == nil)
    }
}
