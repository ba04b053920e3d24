// SPDX-License-Identifier: MIT

// Shares one load between many places in an app.

import Foundation
import HTTPEndpoints

struct Todo: Codable {
    var id: Int
    var title: String
}

final class TodosAPI: Sendable {
    static let shared = TodosAPI()

    private let url = URL(string: "https://host/todos/")!
    private let jsonDecoder = JSONDecoder()

    func todos() -> Endpoint<[Todo]> {
        Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: jsonDecoder.decodeResponse)
    }

    func delete(id: Int) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: url.appendingRelative(String(id)))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }
}

func show(_ todos: [Todo]) { print(todos.count) }
func show(_ text: String) { print(text) }

let todos = StatefulEndpoint(endpoint: TodosAPI.shared.todos())

// Ten observers cost one request. The closure is called on the main actor.
@MainActor final class TodosScreen {
    func start() {
        todos.observe(owner: self) { [weak self] state in
            switch state {
            case .empty: break
            case .loading: self?.show("loading")
            case .success(let todos): self?.show("\(todos.count) todos")
            case .failure(let error): self?.show(userMessage(for: error))
            }
        }
    }

    func appear() {
        todos.loadIfNeeded(maxAge: 60)
    }

    func show(_ text: String) { print(text) }
}

// The old list stays on screen while a new one is loaded, and when that fails.
func draw() {
    let snapshot = todos.snapshot
    show(snapshot.value ?? [])
    if snapshot.isLoading { show("loading") }
    if let error = snapshot.error { show(userMessage(for: error)) }
}

// Shows the change before the server has made it, and takes it back when that fails.
func delete(_ id: Int) async {
    let change = todos.update { $0.removeAll { $0.id == id } }
    do {
        try await TodosAPI.shared.delete(id: id).load()
    } catch {
        change?.rollBack()
    }
}

// In a task, such as SwiftUI's.
func watch() async {
    for await state in todos.states {
        if case .success(let todos) = state { show(todos) }
    }
}

await watch()
await delete(7)
