// SPDX-License-Identifier: MIT

import Foundation

/// The server's side: todos in memory, behind a few routes.
///
/// ```
/// GET    /todos          200, all of them
/// POST   /todos          201, the new one
/// GET    /todos/{id}     200, or 404 with a problem (RFC 9457)
/// PUT    /todos/{id}     200, renamed; PATCH too
/// DELETE /todos/{id}     204
/// GET    /todos/broken   200, JSON of the wrong shape
/// ```
///
/// `@unchecked Sendable`: `todos` and `nextID` are touched inside `answer(to:)` alone, under `lock`.
final class TodosService: @unchecked Sendable {
    private let lock = NSLock()
    private var todos = [Todo(id: 1, title: "Buy milk"), Todo(id: 2, title: "Call Ada")]
    private var nextID = 3

    func answer(to request: LoopbackServer.Request) -> LoopbackServer.Answer {
        lock.lock()
        defer { lock.unlock() }
        let path = request.path.split(separator: "/").map(String.init)
        guard path.first == "todos", path.count <= 2 else {
            return problem(404, "Not found", "There is nothing at \(request.path).")
        }
        guard path.count == 2 else { return answerForAll(request) }
        if path[1] == "broken" { return json(200, ["id": "one", "title": "Wrong"]) }
        guard let index = todos.firstIndex(where: { String($0.id) == path[1] }) else {
            return problem(404, "No such todo", "Todo \(path[1]) does not exist.")
        }
        switch request.method {
        case "GET":
            return json(200, todos[index])
        case "PUT", "PATCH":
            guard let title = title(in: request) else { return missingTitle }
            todos[index].title = title
            return json(200, todos[index])
        case "DELETE":
            todos.remove(at: index)
            return LoopbackServer.Answer(status: 204)
        default:
            return problem(405, "Not allowed", "A todo takes no \(request.method).")
        }
    }

    private func answerForAll(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        switch request.method {
        case "GET":
            return json(200, todos)
        case "POST":
            guard let title = title(in: request) else { return missingTitle }
            todos.append(Todo(id: nextID, title: title))
            nextID += 1
            return json(201, todos[todos.count - 1])
        default:
            return problem(405, "Not allowed", "The list takes no \(request.method).")
        }
    }

    private func title(in request: LoopbackServer.Request) -> String? {
        try? JSONDecoder().decode(TodoTitle.self, from: request.body).title
    }

    private var missingTitle: LoopbackServer.Answer {
        problem(400, "No title", "A todo needs a title.")
    }

    private func json(_ status: Int, _ value: some Encodable) -> LoopbackServer.Answer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(value) else {
            return LoopbackServer.Answer(status: 500)
        }
        return LoopbackServer.Answer(status: status, json: data)
    }

    private func problem(
        _ status: Int,
        _ title: String,
        _ detail: String
    ) -> LoopbackServer.Answer {
        var answer = json(status, ["title": title, "detail": detail])
        answer.contentType = "application/problem+json"
        return answer
    }
}
