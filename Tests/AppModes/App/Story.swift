// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

// A line is decoded where it is read, off the main actor.
nonisolated struct Token: Decodable {
    let text: String
}

struct Refusal: Decodable, Error {
    let message: String
}

// Answers that are read while they come.
class Story {
    let api = API(transport: .default, failure: Refusal.self)
    var text = ""

    func tell() async {
        do {
            let answer = try await api.stream(url: "https://host/story", method: .post)
            for try await event in answer.events {
                let token: Token = try event.decoded()
                text += token.text
            }
        } catch let refusal as Refusal {
            text = refusal.message
        } catch {
            text = userMessage(for: error)
        }
    }

    func watch() async throws {
        for try await event in try api.events(url: "https://host/stories") {
            text += event.data
        }
    }

    func chapters() async throws {
        for try await token in try await chapter().stream().jsonLines(of: Token.self) {
            text += token.text
        }
    }

    func chapter() -> Endpoint<Token> {
        let decoder = JSONDecoder()
        var endpoint = Endpoint<Token>(
            request: URLRequest(url: URL(string: "https://host/chapters")!),
            decodeResponse: decoder.decodeResponse
        )
        endpoint.decodeFailure = { try? decoder.decode(Refusal.self, from: $0.body) }
        return endpoint
    }
}
