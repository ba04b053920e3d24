// SPDX-License-Identifier: MIT

// Tests code without a network: with a transport that answers, or with a URLProtocol.

import Foundation
import HTTPActor
import HTTPEndpoints

struct User: Decodable {
    let id: Int
    let name: String
}

let stub = StubTransport([
    "GET /users/7": .json(#"{"id": 7, "name": "Ada"}"#),
    "POST /users": .status(201),
])
let api = API(transport: stub)
let user: User = try await api.request(url: "https://host/users/7", method: .get)
assert(user.name == "Ada" && stub.requests.count == 1)

// What was asked, its body read.
try await api.request(url: "https://host/users", method: .post, body: .form(["name": "Ada"]))
guard case .data(let sent) = stub.requests[1].body else { exit(1) }
assert(String(decoding: sent, as: UTF8.self) == "name=Ada")

// An endpoint takes it too, and so does what shares an endpoint.
let endpoint = Endpoint<User>(
    request: URLRequest(method: .get, url: URL(string: "https://host/users/7")!),
    decodeResponse: JSONDecoder().decodeResponse
)
let loaded = try await endpoint.load(on: stub)
let shared = StatefulEndpoint(endpoint: endpoint, transport: stub)
await shared.reload()
assert(shared.snapshot.value?.name == loaded.name)

// A closure sees the request. It may throw, wait, or give a body that breaks off.
let flaky = StubTransport { request in
    guard request.urlRequest.httpMethod == "GET" else { throw URLError(.timedOut) }
    return .chunks([Data("half a li".utf8)], thenFailing: URLError(.networkConnectionLost))
}
do {
    try await API(transport: flaky.standard()).request(url: "https://host/feed", method: .get)
} catch {
    print(userMessage(for: error))
}

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
        client?.urlProtocol(self, didLoad: Data(#"{"id": 8, "name": "Grace"}"#.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [StubProtocol.self]
let stubbed = API(testConfiguration: configuration)
let grace: User = try await stubbed.request(url: "https://host/users/8", method: .get)
assert(grace.name == "Grace")
