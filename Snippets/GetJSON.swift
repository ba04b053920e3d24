// SPDX-License-Identifier: MIT

// Gets a JSON document and reads it into a type of your own.

import Foundation
import HTTPActor

struct User: Decodable {
    let id: Int
    let name: String
}

let user: User = try await API.shared.request(
    url: "https://host/users/{id}",
    method: .get,
    pathParams: ["id": "7"]
)
print(user.name)  // Ada

// The text as it came, the bytes, or nil for an answer without a body.
let text: String = try await API.shared.request(url: "https://host/motd", method: .get)
let image: Data = try await API.shared.request(url: "https://host/logo.png", method: .get)
let next: User? = try await API.shared.request(url: "https://host/users/next", method: .get)
print(text, image.count, next?.name ?? "nobody")

// A header of yours wins over the default of that name, in any letter case.
let csv: String = try await API.shared.request(
    url: "https://host/users",
    method: .get,
    headers: ["accept": "text/csv"]
)
print(csv)

// Off for the whole app, or for one call.
API.logsByDefault = false
let quiet: User = try await API.shared.request(
    url: "https://host/users/8",
    method: .get,
    debug: false
)
print(quiet.id)
