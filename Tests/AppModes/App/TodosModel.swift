// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

// What loads endpoints in an app: a class of the main actor, as a view controller is.
@MainActor
class TodosModel {
    let api = TodosAPI()
    let transport: any HTTPTransport
    var todos: [Todo] = []
    var message = ""
    var drafts: [Draft] = []
    private var loading: HTTPTask?

    init(transport: any HTTPTransport) {
        self.transport = transport
    }

    func reload() async {
        do {
            todos = try await api.all.load(on: transport)
        } catch let error as HTTPStatusError where error.status == 404 {
            message = error.localizedDescription
        } catch {
            message = userMessage(for: error)
        }
    }

    func rename(_ id: Int, to title: String) async throws {
        let todo = try await api.put(todo: Todo(id: id, title: title)).load(on: transport)
        todos = todos.map { $0.id == todo.id ? todo : $0 }
        drafts.append(try await api.draft().load(on: transport))
        try await api.delete(todo: todo).load(on: transport)
        try await api.clear().load()
    }

    func start() {
        loading?.cancel()
        loading = api.all.load(on: transport) { [weak self] result in
            switch result {
            case .success(let todos): self?.todos = todos
            case .failure(let error): self?.message = userMessage(for: error)
            }
        }
        api.page(1).load { [weak self] result in
            if case .success(let page) = result { self?.todos += page?.todos ?? [] }
        }
        api.draft().load(on: transport) { [weak self] result in
            if case .success(let draft) = result { self?.drafts.append(draft) }
        }
        api.count().load(queue: .global()) { result in
            print(result)
        }
    }

    func startTask() {
        let task = URLSession.shared.dataTask(endpoint: api.get(id: 7)) { result in
            switch result {
            case .success(let todo): print("Yay, got a todo: ", todo)
            case .failure(let error): print("Oh no, an error: ", error)
            }
        }
        task.resume()
        URLSession.shared.dataTask(endpoint: api.count()) { result in
            DispatchQueue.main.async { self.message = "\(result)" }
        }.resume()
    }
}
