// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import Testing

struct EndpointTests {
    @Test(arguments: [
        ("GET", "https://host/path", "[GET https://host/path]"),
        ("PUT", "https://host:8080/a%2Fb", "[PUT https://host:8080/a%2Fb]"),
        ("GET", "https://host/path?token=s3cret#part", "[GET https://host/path]"),
    ])
    func theDescriptionIsMethodAndURLWithoutQuery(method: String, url: String, text: String) throws
    {
        let request = URLRequest(
            method: HTTPMethod(rawValue: method),
            url: try #require(URL(string: url))
        )
        let endpoint = Endpoint<Void>(
            request: request,
            decodeResponse: EndpointExpectation.ignoreResponse
        )
        #expect(endpoint.description == text)
        #expect("\(endpoint)" == text)
    }

    @Test func theDescriptionNamesNoPassword() throws {
        let endpoint = Endpoint<Void>.get(
            try #require(URL(string: "https://user:s3cret@host/path")),
            decode: EndpointExpectation.ignoreResponse
        )
        #expect(!endpoint.description.contains("s3cret"))
        #expect(endpoint.description.hasSuffix("@host/path]"))
    }

    @Test func itsPartsCanBeReadAndReplaced() throws {
        let url = try #require(URL(string: "https://host/path"))
        var endpoint = Endpoint<Int>.get(url) { _, _ in 1 }
        endpoint.request.setHeaderAccept(.xml)
        endpoint.validateResponse = { _ in }
        endpoint.decodeResponse = { data, _ in data?.count ?? -1 }
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 500, httpVersion: nil, headerFields: nil)
        )
        try endpoint.validateResponse(response)
        #expect(try endpoint.decodeResponse(Data([1, 2]), response) == 2)
        #expect(try endpoint.decodeResponse(nil, response) == -1)
        #expect(endpoint.request.value(forHTTPHeaderField: "accept") == "application/xml")
    }
}
