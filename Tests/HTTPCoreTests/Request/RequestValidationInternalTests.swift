// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RequestValidationInternalTests {
    private func kind(
        _ method: String = "GET",
        _ url: String = "http://h/p",
        body: RequestBody = .empty
    ) throws -> InvalidRequest.Kind? {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        do {
            _ = try RequestValidation.check(HTTPRequest(request, body: body))
            return nil
        } catch let error as InvalidRequest {
            return error.kind
        }
    }

    // RFC 9110, section 5.6.2
    @Test(arguments: [
        "GET", "get", "X-A", "a1", "!#$%&'*+-.^_`|~", "0",
    ])
    func tokens(text: String) {
        #expect(RequestValidation.isToken(text))
    }

    // RFC 9110, section 5.6.2: the delimiters, controls, spaces and all that is not ASCII.
    @Test(arguments: [
        "", " ", "a b", "a\t", "a\r", "a\n", "a\0", "a\u{7F}", "é", "a,b", "a;b", "a:b", "a/b",
        "a@b",
        "a(b", "a)b", "a<b", "a>b", "a=b", "a?b", "a[b", "a]b", "a\\b", "a{b", "a}b", "a\"b",
    ])
    func noTokens(text: String) {
        #expect(!RequestValidation.isToken(text))
    }

    @Test(arguments: ["GE T", "GET\r\nX: 1", "GET\0", "G\nET", "GÉT", "GET / HTTP/1.1"])
    func aMethodThatIsNoTokenIsRefused(method: String) throws {
        #expect(try kind(method) == .method)
    }

    @Test func methodAndURLAreHandedBack() throws {
        let url = URL(string: "http://h/p")!
        let checked = try RequestValidation.check(
            HTTPRequest(URLRequest(method: .put, url: url), body: .data(Data([1])))
        )
        #expect(checked.url == url)
        #expect(checked.method == .put)
    }

    @Test(arguments: [
        ("a", "1", InvalidRequest.Kind?.none), ("A-b", "", nil), ("a", "ü \t,", nil),
        ("a", "1\r", .headerValue), ("a", "1\n", .headerValue), ("a", "\u{0}", .headerValue),
        ("a", "1\r\n 2", .headerValue), ("a b", "1", .headerName), ("", "1", .headerName),
        ("a\r\nb", "1", .headerName), ("a\n", "1", .headerName), (":a", "1", .headerName),
    ])
    func headerFields(name: String, value: String, kind: InvalidRequest.Kind?) {
        do {
            try RequestValidation.check(name: name, value: value)
            #expect(kind == nil)
        } catch {
            #expect((error as? InvalidRequest)?.kind == kind)
        }
    }

    @Test(arguments: [
        "ftp://h/p", "file:///p", "data:,x", "p", "//h/p", "http:///p",
        // What a host may not hold can come percent-encoded.
        "http://a%0D%0Ab/p", "http://a%00b/p", "http://a%20b/p",
    ])
    func urlsThatNameNoWebServerAreRefused(url: String) throws {
        // Foundation may refuse it already, which is as good.
        guard URL(string: url) != nil else { return }
        #expect(try kind("GET", url) == .url)
    }

    @Test(arguments: [
        "http://h", "HTTPS://H:8443/p?q#f", "http://[::1]/", "http://u:p@h/",
        "http://[fe80::1%25eth0]/",
    ])
    func webURLsPass(url: String) throws {
        #expect(try kind("GET", url) == nil)
    }

    @Test func aRequestWithoutAURLIsRefused() throws {
        var request = URLRequest(url: URL(string: "http://h")!)
        request.url = nil
        let error = #expect(throws: InvalidRequest.self) {
            try RequestValidation.check(HTTPRequest(request))
        }
        #expect(error?.kind == .url)
    }

    @Test func headHasNoBody() throws {
        #expect(try kind("HEAD", body: .data(Data([1]))) == .body)
        #expect(try kind("HEAD", body: .file(URL(fileURLWithPath: "f"))) == .body)
        #expect(try kind("HEAD", body: .data(Data())) == nil)
        #expect(try kind("HEAD") == nil)
    }

    @Test func anErrorShowsNoPassword() throws {
        let error = #expect(throws: InvalidRequest.self) {
            try RequestValidation.check(URL(string: "ftp://user:hunter2@h/?token=abc123")!)
        }
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.description.contains("abc123") == false)
    }
}
