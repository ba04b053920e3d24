// SPDX-License-Identifier: MIT

// Tests code without a network: with a transport that answers, or with a URLProtocol.

import Foundation
import HTTPActor

struct User: Decodable {
    let name: String
}

struct Stub: HTTPTransport {
    let status: Int
    let json: String

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            url: request.urlRequest.url!,
            body: ResponseBody(Data(json.utf8))
        )
    }
}

let api = API(transport: Stub(status: 200, json: #"{"name": "Ada"}"#))
let user: User = try await api.request(url: "https://host/users/7", method: .get)
assert(user.name == "Ada")

final class StubProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let response = HTTPURLResponse(
            url: request.url!,
            statusCode: 200,
            httpVersion: nil,
            headerFields: nil
        )!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(#"{"name": "Grace"}"#.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [StubProtocol.self]
let stubbed = API(testConfiguration: configuration)
let grace: User = try await stubbed.request(url: "https://host/users/8", method: .get)
assert(grace.name == "Grace")
