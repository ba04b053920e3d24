// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct URLBuildingTests {
    private let base = URL(string: "http://h/p")!

    // O-01
    @Test func reservedCharactersOfAValueArriveAsGiven() {
        let url = base.appendingGetParameters([("q", "a+b & c=d#e"), ("t", "1")])
        #expect(url.absoluteString == "http://h/p?q=a%2Bb%20%26%20c%3Dd%23e&t=1")
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
        #expect(items?.map(\.name) == ["q", "t"])
        #expect(items?.map(\.value) == ["a+b & c=d#e", "1"])
    }

    // O-01
    @Test func namesAreEncodedLikeValues() {
        let url = base.appendingGetParameters(["a[]&=": "é😀%2F", "b": ""])
        #expect(url.absoluteString == "http://h/p?a%5B%5D%26%3D=%C3%A9%F0%9F%98%80%252F&b=")
    }

    // O-05
    @Test func noParametersMeanNoQuestionMark() {
        #expect(base.appendingGetParameters([:]).absoluteString == "http://h/p")
        #expect(
            base.appendingGetParameters([(String, String)]()).absoluteString == "http://h/p"
        )
    }

    @Test(arguments: [
        ("http://h/p", "http://h/p?b=2&c=3"),
        ("http://h", "http://h?b=2&c=3"),
        ("http://h/p?", "http://h/p?b=2&c=3"),
        ("http://h/p?a=1", "http://h/p?a=1&b=2&c=3"),
        ("http://h/p?a=1&", "http://h/p?a=1&b=2&c=3"),
        ("http://h/p#f", "http://h/p?b=2&c=3#f"),
        ("http://h/p?a=1#f?g", "http://h/p?a=1&b=2&c=3#f?g"),
        ("http://h/p%20q?a=%2B+x%2520#f", "http://h/p%20q?a=%2B+x%2520&b=2&c=3#f"),
        ("https://u:p@h:8443/?a", "https://u:p@h:8443/?a&b=2&c=3"),
    ])
    func whatIsThereStaysAsItIs(before: String, after: String) throws {
        let url = try #require(URL(string: before))
        #expect(url.appendingGetParameters(["c": "3", "b": "2"]).absoluteString == after)
    }

    @Test func pairsKeepOrderAndRepeats() {
        let url = base.appendingGetParameters([("z", "1"), ("a", "2"), ("z", "3")])
        #expect(url.absoluteString == "http://h/p?z=1&a=2&z=3")
    }

    @Test func aRelativeURLIsResolvedFirst() throws {
        let url = try #require(URL(string: "todos", relativeTo: URL(string: "http://h/v1/")))
        #expect(url.appendingGetParameters(["a": "1"]).absoluteString == "http://h/v1/todos?a=1")
    }

    // RFC 3986, section 5.4
    @Test(arguments: [
        ("http://h/todos/", "7", "http://h/todos/7"),
        ("http://h/todos", "7", "http://h/7"),
        ("http://h/a/b?x=1#f", "c", "http://h/a/c"),
        ("http://h/a/b", "../c", "http://h/c"),
        ("http://h/a/b", "/c", "http://h/c"),
        ("http://h/a/b", "?y=2", "http://h/a/b?y=2"),
        ("http://h/a/", "c%2Fd?e=%20", "http://h/a/c%2Fd?e=%20"),
        ("http://h/a", "https://other/b", "https://other/b"),
    ])
    func aReferenceIsSeenFromTheBase(base: String, reference: String, result: String) throws {
        let url = try #require(URL(string: base))
        #expect(url.appendingRelative(reference).absoluteString == result)
    }

    @Test func whatIsNoReferenceBecomesOneSegment() throws {
        let url = try #require(URL(string: "http://h/a/"))
        #expect(url.appendingRelative("b c").absoluteString == "http://h/a/b%20c")
        #expect(url.appendingRelative("é").absoluteString == "http://h/a/%C3%A9")
        #expect(url.appendingRelative("a\r\nb").absoluteString == "http://h/a/a%0D%0Ab")
    }

    // RFC 6454, section 4
    @Test(arguments: [
        ("http://H/a", "http://h:80"), ("https://h", "https://h:443"),
        ("HTTP://h:8080/", "http://h:8080"), ("https://u:p@h:443/x", "https://h:443"),
    ])
    func originIsSchemeHostAndPort(url: String, origin: String) {
        #expect(URL(string: url)?.origin == origin)
    }
}
