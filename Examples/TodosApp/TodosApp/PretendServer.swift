// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// A server inside the app, so that it runs without one: todos in memory, given after a while.
///
/// It is a transport, and nothing else in the app knows that it is not the network.
actor PretendServer: HTTPTransport {
    static let shared = PretendServer()

    private let delay: Duration
    private var todos = [Todo(id: 1, title: "Buy milk"), Todo(id: 2, title: "Call Ada")]
    private var nextID = 3
    private var isDown = false

    init(delay: Duration = .seconds(1)) {
        self.delay = delay
    }

    /// From now on, every request fails; or no longer.
    func setDown(_ isDown: Bool) {
        self.isDown = isDown
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Task.sleep(for: delay)
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        let answer = answer(to: request, id: Int(url.lastPathComponent))
        return HTTPResponse(
            status: answer.status,
            headers: ["Content-Type": answer.status < 300 ? "application/json" : problem],
            url: url, body: ResponseBody(answer.body))
    }

    private let problem = "application/problem+json"

    private func answer(to request: HTTPRequest, id: Int?) -> (status: Int, body: Data) {
        if isDown { return fault(503, "Down for Maintenance", "Try again in a minute.") }
        let index = todos.firstIndex { $0.id == id }
        switch (request.urlRequest.httpMethod, index) {
        case ("GET", nil): return json(200, todos)
        case ("POST", nil):
            guard let title = title(in: request) else { return untitled }
            todos.append(Todo(id: nextID, title: title))
            nextID += 1
            return json(201, todos.last)
        case ("PUT", let index?):
            guard let title = title(in: request) else { return untitled }
            todos[index].title = title
            return json(200, todos[index])
        case ("DELETE", let index?):
            todos.remove(at: index)
            return (204, Data())
        default: return fault(404, "Not Found", "There is no such todo.")
        }
    }

    private func title(in request: HTTPRequest) -> String? {
        guard case .data(let data) = request.body else { return nil }
        let title = try? JSONDecoder().decode(TodoTitle.self, from: data).title
        return title == "" ? nil : title
    }

    private var untitled: (Int, Data) { fault(422, "No Title", "A todo needs a title.") }

    private func fault(_ status: Int, _ title: String, _ detail: String) -> (Int, Data) {
        json(status, ["title": title, "detail": detail])
    }

    private func json(_ status: Int, _ value: some Encodable) -> (Int, Data) {
        (status, (try? JSONEncoder().encode(value)) ?? Data())
    }
}
