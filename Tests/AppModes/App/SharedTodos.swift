// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

// One load for many screens: as TinyHTTP's documents write it, then with what is new.
extension TodosAPI {
    func shared(over transport: any HTTPTransport) -> StatefulEndpoint<[Todo]> {
        StatefulEndpoint(endpoint: all, transport: transport)
    }

    func shared(in session: URLSession) -> StatefulEndpoint<[Todo]> {
        StatefulEndpoint(endpoint: all, urlSession: session)
    }
}

@MainActor
class TodosScreen {
    let todos: StatefulEndpoint<[Todo]>
    var titles: [String?] = []
    var message = ""

    init(_ todos: StatefulEndpoint<[Todo]>) {
        self.todos = todos
    }

    func start() {
        todos.observe(owner: self) { (state) in
            switch state {
            case .empty:
                self.message = "not yet"
            case .loading(_):
                self.message = "loading"
            case .success(let todos):
                self.titles = todos.map { $0.title }
            case .failure(let error):
                self.message = userMessage(for: error)
            }
        }
        todos.observe(owner: self, observeCurrent: false) { [weak self] state in
            self?.message = state.description
        }
        todos.observe(owner: self, queue: .global(), observeCurrent: false) { state in
            print(state)
        }
    }

    func refresh() async {
        await todos.reload()
        let snapshot = todos.snapshot
        titles = snapshot.value?.map { $0.title } ?? []
        if let error = snapshot.error, !snapshot.isLoading { message = userMessage(for: error) }
    }

    func watch() async {
        for await state in todos.states {
            if case .success(let todos) = state { titles = todos.map { $0.title } }
        }
    }

    func remove(id: Int) {
        let change = todos.update { todos in todos.removeAll { $0.id == id } }
        change?.rollBack()
    }

    func rest() {
        todos.load()
        todos.loadIfNeeded()
        todos.loadIfNeeded(maxAge: 60)
        if case .loading(let task) = todos.state { task.cancel() }
        todos.clear()
        todos.removeObservers(owner: self)
    }
}
