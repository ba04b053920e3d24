// SPDX-License-Identifier: MIT

// A whole program: one request, its answer, and what to say when there is none.

import Foundation
import HTTPActor

struct User: Decodable {
    let id: Int
    let name: String
}

@main
struct Hello {
    static func main() async {
        do {
            let user: User = try await API.shared.request(
                url: "http://127.0.0.1:8000/users/{id}",
                method: .get,
                pathParams: ["id": "7"]
            )
            print(user.name)
        } catch {
            print(userMessage(for: error))  // for a person
            print(error)  // for whoever mends it
        }
    }
}
