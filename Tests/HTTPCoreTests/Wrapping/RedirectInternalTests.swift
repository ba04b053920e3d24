// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RedirectInternalTests {
    private func redirect(
        _ status: Int = 302,
        from: String,
        to location: String,
        _ method: HTTPMethod = .get,
        _ headers: [String: String] = [:],
        allowsInsecure: Bool = false
    ) throws -> HTTPRequest? {
        let url = try #require(URL(string: from))
        var urlRequest = URLRequest(method: method, url: url)
        for (name, value) in headers { try urlRequest.setHeader(name, value) }
        var request = HTTPRequest(urlRequest, body: .data(Data("body".utf8)))
        request.options.allowsInsecureRedirects = allowsInsecure
        let response = HTTPResponse(
            status: status,
            headers: ["Location": location],
            url: url,
            body: ResponseBody()
        )
        return try Redirect(of: request, by: response)?.request
    }

    // RFC 9110, sections 15.4.2 to 15.4.9.
    @Test(arguments: [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
        (302, "POST", "GET"), (302, "PATCH", "PATCH"), (302, "DELETE", "DELETE"),
        (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "DELETE", "GET"), (303, "PATCH", "GET"), (307, "POST", "POST"), (307, "PUT", "PUT"),
        (308, "POST", "POST"), (308, "DELETE", "DELETE"),
    ])
    func eachStatusMakesItsMethod(status: Int, before: String, after: String) throws {
        let next = try redirect(
            status,
            from: "http://a/r",
            to: "/x",
            HTTPMethod(rawValue: before),
            ["Content-Type": "text/plain"]
        )
        #expect(next?.method.rawValue == after)
        let keepsBody = before == after
        #expect(next?.body.isEmpty == !keepsBody)
        let type = next?.urlRequest.value(forHTTPHeaderField: "Content-Type")
        #expect(type == (keepsBody ? "text/plain" : nil))
    }

    // RFC 9110, section 10.2.2: the fragment is inherited where the location has none.
    @Test(arguments: [
        ("http://a/r#f", "/x", "http://a/x#f"), ("http://a/r#f", "/x#g", "http://a/x#g"),
        ("http://a/r", "/x", "http://a/x"), ("http://a/r#f", "http://b/x", "http://b/x#f"),
        ("http://a/r#f%20g", "/x?q=1", "http://a/x?q=1#f%20g"),
        ("http://a/b/c", "//b/x", "http://b/x"), ("http://a/b/c/d", "../../x", "http://a/x"),
    ])
    func theLocationIsResolvedAndKeepsTheFragment(
        from: String,
        location: String,
        target: String
    ) throws {
        #expect(
            try redirect(from: from, to: location)?.urlRequest.url?.absoluteString == target
        )
    }

    // O-35: an origin is a scheme, a host and a port; a port that the scheme implies is the same.
    @Test(arguments: [
        ("https://a/r", "https://a/x", true), ("https://a/r", "https://a:443/x", true),
        ("http://a:80/r", "http://a/x", true), ("https://a/r", "https://A/x", true),
        ("https://a/r", "https://b/x", false), ("https://a/r", "https://a:444/x", false),
        ("http://a/r", "https://a/x", false), ("https://a/r", "https://a.b/x", false),
        ("https://b.a/r", "https://a/x", false),
    ])
    func credentialsFollowWithinAnOriginAlone(
        from: String,
        location: String,
        follows: Bool
    ) throws {
        let next = try redirect(
            from: from,
            to: location,
            .get,
            ["Authorization": "Bearer t", "X-Trace": "1"]
        )
        let authorization = next?.urlRequest.value(forHTTPHeaderField: "Authorization")
        #expect(authorization == (follows ? "Bearer t" : nil))
        #expect(next?.urlRequest.value(forHTTPHeaderField: "X-Trace") == "1")
    }

    @Test func fromHTTPSToHTTPIsNotFollowed() {
        let error = #expect(throws: URLError.self) {
            try redirect(from: "https://a/r", to: "http://a/x")
        }
        #expect(error?.code == .appTransportSecurityRequiresSecureConnection)
        #expect(error?.requestMayHaveArrived == true)
    }

    @Test func fromHTTPSToHTTPIsFollowedWhereAllowedWithoutBodyAndCredentials() throws {
        let next = try redirect(
            307,
            from: "https://a/r",
            to: "http://a/x",
            .put,
            ["Authorization": "Bearer t", "Content-Type": "text/plain", "X-Trace": "1"],
            allowsInsecure: true
        )
        #expect(next?.urlRequest.url?.absoluteString == "http://a/x")
        #expect(next?.body.isEmpty == true)
        #expect(next?.urlRequest.allHTTPHeaderFields == ["X-Trace": "1"])
    }

    @Test(arguments: ["ftp://a/x", "file:///x", "javascript:alert(1)", "data:,x", "mailto:a@b"])
    func aForeignSchemeIsRefused(location: String) {
        let error = #expect(throws: URLError.self) {
            try redirect(from: "http://a/r", to: location)
        }
        #expect(error?.code == .unsupportedURL)
    }

    // What no terminal sends would be an `InvalidRequest`, which says that nothing was sent.
    @Test(arguments: ["http:///x", "http://a%0Ab/", "http://a%20b/", "http://a%00b/x", "//a%7Fb/x"])
    func aTargetThatNoRequestMayHaveIsTheServersFault(location: String) {
        let error = #expect(throws: URLError.self) {
            try redirect(from: "http://a/r", to: location, .post)
        }
        #expect(error?.code == .badServerResponse)
        #expect(error?.requestMayHaveArrived == true)
    }

    // A name like a key's is one of a credential.
    @Test func keysStayWithTheirOriginAndIdempotencyKeysDoNot() throws {
        let next = try redirect(
            from: "http://a/r", to: "http://b/x", .get,
            ["Ocp-Apim-Subscription-Key": "k", "X-Auth-Key": "k", "Idempotency-Key": "i"])
        #expect(next?.urlRequest.allHTTPHeaderFields == ["Idempotency-Key": "i"])
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 400])
    func aStatusThatIsNoRedirectHasNoNext(status: Int) throws {
        #expect(try redirect(status, from: "http://a/r", to: "/x") == nil)
    }

    @Test func anEmptyLocationIsNone() throws {
        #expect(try redirect(from: "http://a/r", to: "") == nil)
    }
}
