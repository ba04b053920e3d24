// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPResponseTests {
    private let url = URL(string: "http://h/p?q=1")!

    @Test func theHeadIsThereAsFoundationsType() throws {
        let response = HTTPResponse(
            status: 207,
            headers: ["Content-Type": "text/plain", "X-A": "1"],
            url: url,
            body: ResponseBody()
        )
        let head = try response.httpURLResponse
        #expect(head.statusCode == 207)
        #expect(head.url == url)
        #expect(head.value(forHTTPHeaderField: "content-type") == "text/plain")
        #expect(head.value(forHTTPHeaderField: "X-A") == "1")
        #expect(head.mimeType == "text/plain")
    }

    @Test func repeatedFieldsAreJoinedOnce() throws {
        var headers: HTTPFields = ["X-A": "1", "X-B": "2", "x-a": "3"]
        headers.append("X-A", "4")
        let response = HTTPResponse(status: 200, headers: headers, url: url, body: ResponseBody())
        let head = try response.httpURLResponse
        #expect(head.value(forHTTPHeaderField: "X-A") == "1, 3, 4")
        #expect(head.allHeaderFields.count == 2)
    }

    // O-36
    @Test func cookiesSurviveFoundationsType() throws {
        var headers = HTTPFields()
        headers.append("Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/")
        headers.append("Set-Cookie", "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/")
        let response = HTTPResponse(status: 200, headers: headers, url: url, body: ResponseBody())
        #expect(response.headers.values("set-cookie").count == 2)
        let value = try response.httpURLResponse.value(forHTTPHeaderField: "Set-Cookie")
        let cookies = HTTPCookie.cookies(
            withResponseHeaderFields: ["Set-Cookie": try #require(value)],
            for: url
        )
        #expect(cookies.map(\.name).sorted() == ["a", "b"])
    }

    @Test func aSecretDoesNotShow() throws {
        let url = try #require(URL(string: "https://u:hush@h/p?token=hush"))
        let response = HTTPResponse(
            status: 200, headers: ["Set-Cookie": "hush"], url: url, body: ResponseBody())
        #expect("\(response)" == "200 https://•••@h/p?token=•••")
        var urlRequest = URLRequest(url: url)
        try urlRequest.setHeader("Authorization", "hush")
        #expect("\(HTTPRequest(urlRequest))" == "GET https://•••@h/p?token=•••")
        #expect(!String(reflecting: HTTPRequest(urlRequest)).contains("hush"))
    }

    @Test func anAnswerOfOnesOwnHasNoMetrics() {
        #expect(HTTPResponse(status: 200, url: url, body: ResponseBody()).metrics == nil)
    }
}
