// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

extension Todos {
    /// What users of LCEssentials' API write: one line sends a request and gives the decoded answer.
    static func inActorStyle(_ server: URL, on transport: any HTTPTransport) async throws {
        print("\nActor style")
        let api = API(transport: transport)
        let todos = "\(server)/todos"
        let todo = "\(server)/todos/{id}"

        let all: [Todo] = try await api.request(url: todos, method: .get)
        show(all)
        try expect(all.map(\.id) == [1, 2], "the list has two todos")

        let first: Todo = try await api.request(url: todo, method: .get, pathParams: ["id": "1"])
        show(first)
        try expect(first == all[0], "the first todo is the first of the list")

        let created: Todo = try await api.request(
            url: todos,
            method: .post,
            body: jsonBody(TodoTitle(title: "Water plants"))
        )
        show(created)
        try expect(created.title == "Water plants", "the new todo has its title")

        let id = ["id": String(created.id)]
        let renamed: Todo = try await api.request(
            url: todo,
            method: .patch,
            body: jsonBody(TodoTitle(title: "Water herbs")),
            pathParams: id
        )
        show(renamed)
        try expect(renamed == Todo(id: created.id, title: "Water herbs"), "it was renamed")

        try await api.request(url: todo, method: .delete, pathParams: id)
        let rest: [Todo] = try await api.request(url: todos, method: .get)
        try expect(rest == all, "the list is as before")

        try await expectFailure(status: 404) {
            let _: Todo = try await api.request(url: todo, method: .get, pathParams: id)
        }
        try await expectFailure(status: nil) {
            let _: Todo = try await api.request(
                url: todo,
                method: .get,
                pathParams: ["id": "broken"]
            )
        }
    }
}
