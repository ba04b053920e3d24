// SPDX-License-Identifier: MIT

import HTTPActor

// What plain Swift 6 mode, whose code belongs to no actor, does not take from an app.

// A global of a class that isn't Sendable, whatever the library does.
extension TodosAPI {
    static let shared = TodosAPI()
}

// A model that isn't Sendable, from a call that decodes off the caller's actor. An endpoint can.
extension UsersModel {
    func loadDraft() async throws {
        let draft: Draft = try await api.request(url: "https://host/draft", method: .get)
        drafts.append(draft)
    }
}
