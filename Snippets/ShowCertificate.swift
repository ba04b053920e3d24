// SPDX-License-Identifier: MIT

// Shows a server a client certificate, and trusts a server that the system does not know.

import Foundation
import HTTPActor
import HTTPEndpoints

struct Account: Decodable {
    let balance: Int
}

let url = URL(string: "https://bank.host/account")!
let p12 = try Data(contentsOf: URL(fileURLWithPath: "client.p12"))
let password = ProcessInfo.processInfo.environment["P12_PASSWORD"] ?? ""

// Each call of this API that names the host shows it, when the server asks. Without a scheme, without a port.
await API.shared.setupCertification(certData: p12, password: password, hosts: ["bank.host"])
let account: Account = try await API.shared.request(url: "https://bank.host/account", method: .get)
print(account.balance)

// One request, over any transport.
var request = HTTPRequest(URLRequest(method: .get, url: url))
request.options.identity = ClientIdentity(pkcs12: p12, password: password)
let transport: any HTTPTransport = .default
print(try await transport.send(request).status)

// Endpoints, over a transport that shows it for all of them.
struct Identified: HTTPTransport {
    let base: any HTTPTransport
    let identity: ClientIdentity

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        request.options.identity = identity
        return try await base.send(request)
    }
}

let identified = Identified(
    base: .default,
    identity: ClientIdentity(pkcs12: p12, password: password)
)
let endpoint = Endpoint<Account>(
    request: URLRequest(method: .get, url: url),
    decodeResponse: JSONDecoder().decodeResponse
)
print(try await endpoint.load(on: identified).balance)

// Roots of your own beside the system's, and keys that a server must have one of.
let root = try Data(contentsOf: URL(fileURLWithPath: "root.pem"))
let (present, next) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
let trust = ServerTrust.roots(root, addingToSystem: true).pinned(to: [present, next])
#if os(Linux)
let terminal = CurlTransport(trust: trust)
#else
let terminal = URLSessionTransport(trust: trust)
#endif
let api = API(transport: terminal.standard())
try await api.request(url: "https://intranet.host/ping", method: .get)
