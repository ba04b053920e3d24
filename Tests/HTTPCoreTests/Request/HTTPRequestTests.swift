// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPRequestTests {
    private let url = URL(string: "http://h/p")!

    @Test func theBodyIsTheURLRequestsOwnUnlessGiven() throws {
        var urlRequest = URLRequest(method: .post, url: url)
        urlRequest.httpBody = Data("own".utf8)
        guard case .data(let own) = HTTPRequest(urlRequest).body else {
            Issue.record("the request's own data is its body")
            return
        }
        #expect(own == Data("own".utf8))
        guard case .data(let given) = HTTPRequest(urlRequest, body: .data(Data("given".utf8))).body
        else {
            Issue.record("the data given is the body")
            return
        }
        #expect(given == Data("given".utf8))
        #expect(HTTPRequest(urlRequest).urlRequest.httpBody == nil)
        #expect(HTTPRequest(URLRequest(url: url)).body.isEmpty)
    }

    @Test func nothingIsDecidedUntilAsked() {
        let options = HTTPRequest(URLRequest(url: url)).options
        #expect(options.collect == nil)
        #expect(options.attempts == 1)
        #expect(!options.logs)
        #expect(options.totalTimeout == nil)
        #expect(options.connectTimeout == nil)
        #expect(options.secretHeaders.isEmpty)
        #expect(!options.allowsInsecureRedirects)
    }
}
