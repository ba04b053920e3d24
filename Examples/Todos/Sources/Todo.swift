// SPDX-License-Identifier: MIT

/// Something to do, as the server and its clients write it in JSON.
struct Todo: Codable, Equatable {
    var id: Int
    var title: String
}

/// What a client sends to create or rename a todo.
struct TodoTitle: Codable {
    var title: String
}
