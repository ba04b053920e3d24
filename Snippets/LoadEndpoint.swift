// SPDX-License-Identifier: MIT

// Loads an endpoint: awaited, with a closure, and as a task of a URLSession.

import Foundation
import HTTPEndpoints

struct Todo: Decodable {
    let title: String
}

let url = URL(string: "https://host/todos/7")!
let endpoint = Endpoint<Todo>(
    request: URLRequest(method: .get, url: url),
    decodeResponse: JSONDecoder().decodeResponse
)

let todo = try await endpoint.load()
print(todo.title)

// The closure is called on the main actor, once; never after `cancel()`.
let load = endpoint.load { result in
    switch result {
    case .success(let todo): print(todo.title)
    case .failure(let error): print(userMessage(for: error))
    }
}
load.cancel()

// On a queue of your own, over a transport of your own choice.
endpoint.load(on: URLSessionTransport().standard(), queue: .global()) { result in
    print(result)
}

// For code that is built around URLSession.
let task = URLSession.shared.dataTask(endpoint: endpoint) { result in
    print(result)
}
task.resume()
