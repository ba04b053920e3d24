// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct URLTemplateTests {
    private func filled(_ template: String, _ values: [String: String] = [:]) throws -> String {
        try URLTemplate(template).url(filling: values).absoluteString
    }

    private func kind(_ template: String, _ values: [String: String] = [:]) -> InvalidRequest.Kind?
    {
        #expect(throws: InvalidRequest.self) { try filled(template, values) }?.kind
    }

    // O-02
    @Test func aSlashStaysInsideItsSegment() throws {
        let url = try filled("http://h/objects/{id}/track", ["id": "lci80/a2V5=="])
        #expect(url == "http://h/objects/lci80%2Fa2V5%3D%3D/track")
    }

    // O-03
    @Test(arguments: [
        ("100%", "http://h/users/100%25/4"),
        ("a%2Fb", "http://h/users/a%252Fb/4"),
        ("ü ?#;@:", "http://h/users/%C3%BC%20%3F%23%3B%40%3A/4"),
        ("a\r\nb\0", "http://h/users/a%0D%0Ab%00/4"),
        ("{id}", "http://h/users/%7Bid%7D/4"),
        ("-._~", "http://h/users/-._~/4"),
        ("", "http://h/users//4"),
    ])
    func aValueIsEncodedOnce(value: String, url: String) throws {
        #expect(try filled("http://h/users/{id}/4", ["id": value]) == url)
        let path = try #require(URLComponents(string: url)?.percentEncodedPath)
        let segment = path.split(separator: "/", omittingEmptySubsequences: false)[2]
        #expect(segment.removingPercentEncoding == value)
    }

    // O-04
    @Test func dotsWithSlashesAreOneSegment() throws {
        let url = try filled("http://h/v1/users/{id}/profile", ["id": "../../admin/secrets"])
        #expect(url == "http://h/v1/users/..%2F..%2Fadmin%2Fsecrets/profile")
    }

    // O-04: no encoding can carry these, however the segment is put together.
    @Test(arguments: [
        ("http://h/v1/{id}/p", [("id", "..")]),
        ("http://h/v1/{id}/p", [("id", ".")]),
        ("http://h/v1/{id}", [("id", "..")]),
        ("http://h/v1/{id}?q=1", [("id", "..")]),
        ("http://h/v1/.{id}/p", [("id", ".")]),
        ("http://h/v1/%2e{id}/p", [("id", ".")]),
        ("http://h/v1/%2E{id}/p", [("id", "")]),
        ("http://h/v1/{a}{b}/p", [("a", "."), ("b", ".")]),
    ])
    func dotSegmentsAreRefused(template: String, values: [(String, String)]) {
        let values = Dictionary(uniqueKeysWithValues: values)
        #expect(kind(template, values) == .pathParameter)
    }

    @Test func dotsInsideASegmentOrInAQueryAreFine() throws {
        #expect(try filled("http://h/{f}", ["f": "..."]) == "http://h/...")
        #expect(try filled("http://h/a.{f}", ["f": "."]) == "http://h/a..")
        #expect(try filled("http://h/a?up={f}", ["f": ".."]) == "http://h/a?up=..")
    }

    @Test func aValueInTheQueryIsEncodedToo() throws {
        let url = try filled("http://h/a?q={q}#{f}", ["q": "1&b=2", "f": "x y"])
        #expect(url == "http://h/a?q=1%26b%3D2#x%20y")
    }

    @Test func aNameMayOccurTwice() throws {
        #expect(try filled("http://h/{a}/{b}/{a}", ["a": "1", "b": "2"]) == "http://h/1/2/1")
    }

    @Test func aMissingValueIsNamed() {
        let error = #expect(throws: InvalidRequest.self) {
            try filled("http://h/{id}/{x}", ["x": "1"])
        }
        #expect(error?.kind == .pathParameter)
        #expect(error?.description.contains("id") == true)
    }

    @Test func anUnusedValueIsNamed() {
        let error = #expect(throws: InvalidRequest.self) {
            try filled("http://h/{id}", ["id": "1", "idd": "2"])
        }
        #expect(error?.kind == .pathParameter)
        #expect(error?.description.contains("idd") == true)
    }

    @Test(arguments: ["http://{host}/p", "http://h{host}/p", "{host}/p", "ht{host}://h/p"])
    func noValueReachesSchemeOrHost(template: String) {
        #expect(kind(template, ["host": "evil.example"]) == .pathParameter)
    }

    @Test func aMissingSchemeIsSaid() {
        let error = #expect(throws: InvalidRequest.self) {
            try filled("127.0.0.1:8000/users/{id}", ["id": "7"])
        }
        #expect(error?.description.contains("http://") == true)
    }

    @Test(arguments: ["http://h/\r\nX: 1", "http://h/a\0", "http://h\n/a", "http://h/\u{7F}"])
    func controlCharactersAreRefused(url: String) {
        #expect(kind(url) == .url)
    }

    @Test(arguments: [
        "http://h/a%2Fb%20c?d=%2B+e&f=%252F#g", "https://u:p@h:8443", "http://h/a/../b/./c",
        "http://[::1]:8080/x", "http://h/a%2e%2e/b", "HTTP://H/",
    ])
    func anEncodedURLIsNotTouched(url: String) throws {
        #expect(try filled(url) == url)
    }

    @Test(arguments: [
        "", "no url", "/relative", "h/p", "ftp://h/p", "file:///etc/passwd", "http://", "http:///p",
        "mailto:a@b", "javascript:alert(1)", "http://h:port/",
    ])
    func whatIsNoWebURLIsRefused(url: String) {
        #expect(kind(url) == .url)
    }

    @Test(arguments: [
        ("https://user:hunter2@h/{id}", [:]), ("https://h/{id}?token=hunter2", [:]),
        ("https://h/p?token=hunter2", ["id": "7"]), ("https://[h/?token={t}", ["t": "hunter2"]),
    ])
    func whatIsWrongIsSaidWithoutASecret(template: String, values: [String: String]) throws {
        let error = try #require(throws: InvalidRequest.self) {
            try URLTemplate(template).url(filling: values)
        }
        #expect(!error.description.contains("hunter2"))
    }
}
