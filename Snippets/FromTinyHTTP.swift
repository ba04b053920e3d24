// SPDX-License-Identifier: MIT

// What code that was written for TinyHTTP becomes.

import Foundation
import HTTPEndpoints

struct Todo: Codable {
    var id: Int?
    var title: String?
}

final class TodosAPI: Sendable {
    static let shared = TodosAPI()

    private let url = URL(string: "https://host/todos/")!
    private let jsonDecoder = JSONDecoder()
    private let jsonEncoder = JSONEncoder()

    let all: StatefulEndpoint<[Todo]>

    private init() {
        var request = URLRequest(method: .get, url: url)
        request.setHeaderAccept(.json)
        all = StatefulEndpoint(
            endpoint: Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
        )
    }

    func put(todo: Todo) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .post, url: url)
        if let id = todo.id {
            request = URLRequest(method: .put, url: url.appendingRelative(String(id)))
        }
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(todo)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func delete(id: Int) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: url.appendingRelative(String(id)))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }
}

let endpoint = TodosAPI.shared.delete(id: 7)

// As before: a task of a session, on the session's queue.
let task = URLSession.shared.dataTask(endpoint: endpoint) { result in
    print(result)
}
task.resume()

// Better: over the transport that both styles share, with cancellation, on the main actor.
let load = endpoint.load { result in
    switch result {
    case .success: print("deleted")
    case .failure(let error as HTTPStatusError): print(error.status)
    case .failure(let error as ResponseBodyError): print(error.kind)
    case .failure(let error): print(userMessage(for: error))
    }
}
load.cancel()

final class Watcher: Sendable {
    init() {
        TodosAPI.shared.all.observe(owner: self) { state in
            switch state {
            case .empty: print("wait")
            case .loading(let task): print(task.isCancelled)
            case .success(let todos): print(todos.count)
            case .failure(let error): print(userMessage(for: error))
            }
        }
        TodosAPI.shared.all.observe(owner: self, queue: .global()) { state in print(state) }
    }
}

_ = Watcher()
_ = URLSessionTransport(configuration: .default).standard()
