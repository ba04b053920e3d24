// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TodosAPITests {
    private let stack = standardStack()

    /// Echoes what was written, and knows two todos.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch (request.method, request.path) {
            case ("GET", "/todos/"):
                .json(#"[{"id":1,"title":"one"},{"id":2,"title":"two"}]"#)
            case ("GET", "/todos/2"): .json(#"{"id":2,"title":"two"}"#)
            case ("POST", _), ("PUT", _): .json(request.bodyText)
            case ("DELETE", _): .text("deleted, and not JSON")
            default: .text("no", status: 404)
            }
        }
    }

    @Test func endpointsAreReadOneByOneAndAsAList() async throws {
        let server = try server()
        let api = TodosAPI(url: server.url("/todos/"))
        let (one, two) = (Todo(id: 1, title: "one"), Todo(id: 2, title: "two"))
        #expect(try await api.all.load(on: stack) == [one, two])
        #expect(try await api.get(id: 2).load(on: stack) == two)
        #expect(try await api.search("a+b & c").load(on: stack) == [one, two])
        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == [
                "GET /todos/", "GET /todos/2", "GET /todos/?limit=10&q=a%2Bb%20%26%20c",
            ]
        )
        #expect(
            server.requests.map { $0.values("Accept") }
                == Array(repeating: ["application/json"], count: 3)
        )
        #expect(server.requests.allSatisfy { $0.values("Content-Type").isEmpty })
    }

    @Test func putAndPostSendTheEncodedBody() async throws {
        let server = try server()
        let api = TodosAPI(url: server.url("/todos/"))
        let todo = Todo(id: 7, title: "new")
        #expect(try await api.put(todo).load(on: stack) == todo)
        #expect(try await api.post(todo).load(on: stack) == todo)
        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == ["PUT /todos/7", "POST /todos/"]
        )
        for request in server.requests {
            #expect(try JSONDecoder().decode(Todo.self, from: request.body) == todo)
            #expect(request.values("Content-Type") == ["application/json"])
            #expect(request.values("Content-Length") == ["\(request.body.count)"])
        }
    }

    @Test func deleteIgnoresTheAnswersBody() async throws {
        let server = try server()
        try await TodosAPI(url: server.url("/todos/")).delete(id: 2).load(on: stack)
        #expect(server.requests.map { "\($0.method) \($0.target)" } == ["DELETE /todos/2"])
    }
}
