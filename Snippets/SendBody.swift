// SPDX-License-Identifier: MIT

// Sends JSON, a form, bytes, and a body of a type of your own.

import Foundation
import HTTPActor

struct NewUser: Encodable {
    let name: String
}

struct User: Decodable {
    let id: Int
    let name: String
}

let created: User = try await API.shared.request(
    url: "https://host/users",
    method: .post,
    body: jsonBody(NewUser(name: "Ada"))
)

// user=ada&pw=p%2Bq%26r, sorted by name; an array of pairs keeps its order and repeats.
try await API.shared.request(
    url: "https://host/login",
    method: .post,
    body: .form(["user": "ada", "pw": "p+q&r"])
)
try await API.shared.request(
    url: "https://host/tags",
    method: .post,
    body: .form([("tag", "new"), ("tag", "blue")])
)

try await API.shared.request(
    url: "https://host/users/{id}/photo",
    method: .put,
    body: RawBody(data: Data([0xFF, 0xD8]), contentType: "image/jpeg"),
    pathParams: ["id": "7"]
)

struct CSVBody: HTTPBody {
    let rows: [[String]]

    func encoded() throws -> (data: Data, contentType: String) {
        let lines = rows.map { $0.joined(separator: ",") }
        return (Data(lines.joined(separator: "\n").utf8), "text/csv")
    }
}

try await API.shared.request(
    url: "https://host/import",
    method: .post,
    body: CSVBody(rows: [["7", "Ada"]])
)

print(created.id)
