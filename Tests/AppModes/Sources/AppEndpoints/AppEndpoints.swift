// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

// An app of endpoints takes one product and one import, for its tests too: a stub answers, and lines, JSON Lines and
// events are read as they come. Prints ok, or ends non-zero.
@main
struct AppEndpoints {
    static func main() async {
        do {
            try await loadsFromAStub()
            try await readsWhatComes()
            print("ok")
        } catch {
            print("failed:", error)
            exit(1)
        }
    }

    struct Todo: Decodable, Sendable {
        let title: String
    }

    static let url = URL(string: "https://host/todos/7")!

    static let todo = Endpoint<Todo>(
        request: URLRequest(method: .get, url: url),
        decodeResponse: JSONDecoder().decodeResponse
    )

    static func loadsFromAStub() async throws {
        let stub = StubTransport(["GET /todos/7": .json(#"{"title": "tea"}"#)])
        try expect(await todo.load(on: stub).title == "tea", "a stub answers an endpoint")
        let asked = stub.requests.map { $0.curlCommand() }
        try expect(asked.count == 1 && asked[0].hasPrefix("curl "), "\(asked)")
    }

    static func readsWhatComes() async throws {
        func answer(_ text: String, _ type: String) async throws -> HTTPResponse {
            let stub = StubTransport { _ in
                .status(200, headers: ["Content-Type": type], body: Data(text.utf8))
            }
            return try await todo.stream(on: stub)
        }
        var lines: [String] = []
        for try await line in try await answer("a\nb", "text/plain").lines { lines.append(line) }
        try expect(lines == ["a", "b"], "lines: \(lines)")

        var titles: [String] = []
        let json = #"{"title": "tea"}"# + "\n"
        for try await todo in try await answer(json, "application/jsonl").jsonLines(of: Todo.self) {
            titles.append(todo.title)
        }
        try expect(titles == ["tea"], "JSON Lines: \(titles)")

        var events: [ServerSentEvent] = []
        for try await event in try await answer("data: a\n\n", "text/event-stream").events {
            events.append(event)
        }
        try expect(events.map(\.data) == ["a"], "events: \(events)")
    }

    static func expect(_ isTrue: Bool, _ what: String) throws {
        guard isTrue else { throw Surprise(what: what) }
    }

    struct Surprise: Error {
        let what: String
    }
}
