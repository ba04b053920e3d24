// SPDX-License-Identifier: MIT

// What code that was written for the API of LCEssentials becomes.

import Foundation
import HTTPActor

struct User: Codable {
    let id: Int
    let name: String
}

let fileURL = URL(fileURLWithPath: "beach.heic")
let certificate = Data()

// Values for the URL and a body for the server are two parameters.
let user: User = try await API.shared.request(
    url: "https://host/users/{id}",
    method: .put,
    body: jsonBody(User(id: 7, name: "Ada")),
    pathParams: ["id": "7"]
)
let text: String = try await API.shared.request(url: "https://host/motd", method: .get)
print(user.name, text)

try await API.shared.request(
    url: "https://host/login",
    method: .post,
    body: .form(["user": "ada", "pw": "secret"])
)
try await API.shared.request(
    url: "https://host/raw",
    method: .post,
    body: RawBody(data: Data("raw".utf8), contentType: "text/plain"),
    headers: ["X-Tenant": "7"],
    persistConnection: true,
    debug: false,
    timeoutInterval: 60,
    networkServiceType: .default
)

// A file goes out as a form, and is read from disk while it is sent.
var form = MultipartForm()
form.field("title", "Summer")
form.file("file", url: fileURL)
try await API.shared.upload(url: "https://host/photos", form: form)

// The wait before the first repeat, and how many there are at most.
await API.shared.setPersistConnectionDelay(3)
API.maxPersistRetries = 5
API.logsByDefault = false
await API.shared.setupCertification(certData: certificate, password: "secret")

do {
    try await API.shared.request(url: "https://host/users/7", method: .delete)
} catch let error as NSError where error.domain == HTTPStatusError.errorDomain {
    print(error.code, error.localizedDescription, error.localizedFailureReason ?? "")
} catch {
    print(userMessage(for: error))
}
