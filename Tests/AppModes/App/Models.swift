// SPDX-License-Identifier: MIT

import Foundation

// An app's models, as a newcomer writes them: with default main-actor isolation their conformances
// belong to the main actor.

struct User: Decodable {
    let id: Int
    let name: String
}

struct NewUser: Encodable {
    var name: String
}

struct Todo: Codable {
    var id: Int?
    var title: String?
}

struct TodoBody: Codable {
    let todo: Todo
}

enum Place: String, Codable {
    case home, work
}

struct Page: Decodable {
    let todos: [Todo]
    let place: Place?
    let changed: Date
}

// A model that is no value and can't be shared.
class Draft: Codable {
    var text = ""
}
