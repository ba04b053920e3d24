// SPDX-License-Identifier: MIT

// What code that was written for Alamofire becomes.

import Foundation
import HTTPActor
import HTTPEndpoints

struct Login: Codable {
    let email: String
}

struct User: Decodable {
    let id: Int
    let name: String
}

let login = Login(email: "ada@host")
let photoURL = URL(fileURLWithPath: "beach.heic")
let file = URL(fileURLWithPath: "export.zip")

let user: User = try await API.shared.request(url: "https://host/users/7", method: .get)
let text: String = try await API.shared.request(url: "https://host/motd", method: .get)
let bytes: Data = try await API.shared.request(url: "https://host/logo.png", method: .get)
print(user.id, text, bytes.count)

try await API.shared.request(url: "https://host/login", method: .post, body: jsonBody(login))
try await API.shared.request(
    url: "https://host/login",
    method: .post,
    body: .form([("email", "ada@host")]),
    headers: ["X-Tenant": "7"]
)
let search = URL(string: "https://host/users")!.appendingGetParameters(["q": "Ada"])
let found: [User] = try await API.shared.request(url: search.absoluteString, method: .get)
print(found.count)

var form = MultipartForm()
form.field("title", "Summer")
form.file("photo", url: photoURL)
let photo: User = try await API.shared.upload(url: "https://host/photos", form: form) { print($0) }
try await API.shared.upload(url: "https://host/photos", body: .file(photoURL))
try await API.shared.download(url: "https://host/export.zip", to: file, resume: true)
print(photo.id)

// What a session was made with, a transport is made of, once.
let source = TokenSource(for: URL(string: "https://host")!) { _ in
    BearerToken("t0ken", expiry: Date() + 600)
}
let decoder = JSONDecoder()
let api = API(
    transport: DefaultTransport.default
        .retrying(RetryPolicy(attempts: 3))
        .authenticating(with: source)
        .logging(bodies: 4_096),
    decoder: decoder
)
let basic = DefaultTransport.default
    .authenticating(user: "ada", password: "s3cret", for: URL(string: "https://host")!)
let trust = ServerTrust.system.pinned(to: [Data(repeating: 1, count: 32)])
let session = URLSessionTransport(configuration: .default, trust: trust).standard()
print(basic, session)

let answer = try await api.stream(url: "https://host/feed")
for try await line in answer.lines {
    print(line)
}

do {
    try await api.request(url: "https://host/users/7", method: .delete)
} catch let error as HTTPStatusError {
    print(error.status, error.body)
} catch let error as URLError {
    print(error.code, error.requestMayHaveArrived)
} catch {
    print(userMessage(for: error))
}

// A router, or Moya's targets: values that say what to send and how to read the answer.
func todo(id: Int) -> Endpoint<User> {
    Endpoint(
        request: URLRequest(method: .get, url: URL(string: "https://host/users/\(id)")!),
        decodeResponse: decoder.decodeResponse
    )
}
let load = todo(id: 7).load { result in
    print(result)
}
load.cancel()

print(HTTPRequest(todo(id: 7).request).curlCommand())
let stub = StubTransport(["GET /users/7": .json(#"{"id": 7, "name": "Ada"}"#)])
print(try await todo(id: 7).load(on: stub).name)
