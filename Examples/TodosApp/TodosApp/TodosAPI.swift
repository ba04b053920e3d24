// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// What the server can do, as values, and the one list that all screens share.
final class TodosAPI: Sendable {
    /// Over the server that the app brings along; for a real one, the transport is `.default`.
    static let shared = TodosAPI(transport: PretendServer.shared)

    let transport: any HTTPTransport
    /// However many screens show the list, it is loaded once.
    let all: StatefulEndpoint<[Todo]>

    private let url = URL(string: "https://todos.example/todos/")!
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init(transport: any HTTPTransport) {
        self.transport = transport
        let list = Endpoint<[Todo]>(
            request: URLRequest(method: .get, url: url), decodeResponse: decoder.decodeResponse)
        all = StatefulEndpoint(endpoint: list, transport: transport)
    }

    func add(_ title: String) -> Endpoint<Todo> {
        sending(title, by: .post, to: url)
    }

    func rename(_ todo: Todo, to title: String) -> Endpoint<Todo> {
        sending(title, by: .put, to: url.appendingRelative(String(todo.id)))
    }

    func delete(_ todo: Todo) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: url.appendingRelative(String(todo.id)))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }

    private func sending(_ title: String, by method: HTTPMethod, to url: URL) -> Endpoint<Todo> {
        var request = URLRequest(method: method, url: url)
        request.setHeaderContentType(.json)
        // A string can always be encoded.
        request.httpBody = try? encoder.encode(TodoTitle(title: title))
        return Endpoint(request: request, decodeResponse: decoder.decodeResponse)
    }
}
