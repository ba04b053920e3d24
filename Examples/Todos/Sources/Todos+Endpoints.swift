// SPDX-License-Identifier: MIT

import HTTPEndpoints

extension Todos {
    /// What TinyHTTP's users write: an API is a class of endpoints, which something else loads.
    static func inEndpointStyle(_ api: TodosAPI, on transport: any HTTPTransport) async throws {
        print("\nEndpoint style")

        let all = try await api.all().load(on: transport)
        show(all)
        try expect(all.map(\.id) == [1, 2], "the list has two todos")

        let first = try await api.get(id: 1).load(on: transport)
        show(first)
        try expect(first == all[0], "the first todo is the first of the list")

        let created = try await api.create(title: "Water plants").load(on: transport)
        show(created)
        try expect(created.title == "Water plants", "the new todo has its title")

        let renamed = try await api.rename(id: created.id, to: "Water herbs").load(on: transport)
        show(renamed)
        try expect(renamed == Todo(id: created.id, title: "Water herbs"), "it was renamed")

        try await api.delete(id: created.id).load(on: transport)
        try expect(try await api.all().load(on: transport) == all, "the list is as before")

        try await expectFailure(status: 404) {
            _ = try await api.get(id: created.id).load(on: transport)
        }
        try await expectFailure(status: nil) {
            _ = try await api.broken().load(on: transport)
        }
    }
}
