// SPDX-License-Identifier: MIT

/// Something to do, as the server writes it in JSON.
struct Todo: Codable, Identifiable, Equatable {
    var id: Int
    var title: String
}

/// What is sent to add or rename a todo.
struct TodoTitle: Codable {
    var title: String
}
