// SPDX-License-Identifier: MIT

// What apps add to a transport, each by one verb.

import Foundation
import HTTPActor

struct Login: Decodable {
    let token: String
    let lifetime: TimeInterval
}

func savedToken() -> String { "r3fresh" }

struct Logger {
    func debug(_ text: String) { print(text) }
}

let logger = Logger()

// One refresh for all calls that wait for it, before the token expires or after a 401.
let source = TokenSource(for: URL(string: "https://host")!) { _ in
    let login: Login = try await API.shared.request(
        url: "https://host/token",
        method: .post,
        body: .form(["refresh_token": savedToken()])
    )
    return BearerToken(login.token, expiry: Date() + login.lifetime)
}

let api = API(
    transport: DefaultTransport.default
        .retrying(RetryPolicy(attempts: 5))
        .authenticating(with: source)
        .timingOut(after: 30)
)
try await api.request(url: "https://host/todos", method: .get)

// When to send again, in full.
var policy = RetryPolicy(attempts: 5)
policy.statuses.insert(423)
policy.decide = { request, _, wait in
    request.urlRequest.url?.path == "/search" ? nil : wait
}
let patient = DefaultTransport.default.retrying(policy)
try await API(transport: patient).request(url: "https://host/search", method: .get)

// Basic credentials, sent to this host alone.
let url = URL(string: "https://host")!
let basic = DefaultTransport.default.authenticating(user: "ada", password: "s3cret", for: url)
try await API(transport: basic).request(url: "https://host/todos", method: .get)

// A log with bodies, in which nothing named like a secret shows.
let logged = DefaultTransport.default
    .logging(bodies: 4_096, secrets: ["iban"]) { text in logger.debug("\(text)") }
try await API(transport: logged).request(url: "https://host/todos", method: .get)

// The same request for a shell.
print(HTTPRequest(URLRequest(method: .get, url: url)).curlCommand())
