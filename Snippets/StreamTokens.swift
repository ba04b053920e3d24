// SPDX-License-Identifier: MIT

// Prints what a language model answers, token by token, as it comes.

import Foundation
import HTTPActor

struct Prompt: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }
    let model: String
    let messages: [Message]
    let stream = true
}

struct Completion: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable {
            let content: String?
        }
        let delta: Delta
    }
    let choices: [Choice]
}

// What the server says when it refuses: {"error": {"message": "…"}}
struct Refusal: Decodable, LocalizedError {
    struct Reason: Decodable {
        let message: String
    }
    let error: Reason
    var errorDescription: String? { error.message }
}

let api = API(transport: .default, failure: Refusal.self)
let prompt = Prompt(model: "small", messages: [.init(role: "user", content: "Tell me a story.")])
let key = ProcessInfo.processInfo.environment["API_KEY"] ?? ""

let answer = try await api.stream(
    url: "https://host/v1/chat/completions",
    method: .post,
    body: jsonBody(prompt),
    headers: ["Authorization": "Bearer \(key)"]
)
for try await event in answer.events {
    if event.data == "[DONE]" { break }
    let completion: Completion = try event.decoded()
    let token = completion.choices.first?.delta.content ?? ""
    FileHandle.standardOutput.write(Data(token.utf8))
}
print()
