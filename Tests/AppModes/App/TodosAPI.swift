// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

// TinyHTTP's way of writing.
class TodosAPI {
    let url = URL(string: "https://host/todos/")!
    let jsonDecoder = JSONDecoder()
    let jsonEncoder = JSONEncoder()

    lazy var all: Endpoint<[Todo]> = {
        var request = URLRequest(method: .get, url: self.url)
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: self.jsonDecoder.decodeResponse)
    }()

    func get(id: Int) -> Endpoint<Todo> {
        var request = URLRequest(method: .get, url: urlFor(id: id))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: self.jsonDecoder.decodeResponse)
    }

    func page(_ number: Int) -> Endpoint<Page?> {
        let url = self.url.appendingGetParameters(["page": String(number)])
        return Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: self.jsonDecoder.decodeResponse
        )
    }

    func draft() -> Endpoint<Draft> {
        let url = self.url.appendingRelative("draft")
        return Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: self.jsonDecoder.decodeResponse
        )
    }

    func put(todo: Todo) -> Endpoint<Todo> {
        var request: URLRequest
        if let id = todo.id {
            request = URLRequest(method: .put, url: self.urlFor(id: id))
        } else {
            request = URLRequest(method: .post, url: self.url)
        }
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try! self.jsonEncoder.encode(TodoBody(todo: todo))

        return Endpoint(request: request, decodeResponse: self.jsonDecoder.decodeResponse)
    }

    func delete(todo: Todo) -> Endpoint<Void> {
        var request = URLRequest(method: .delete, url: urlFor(id: todo.id!))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }

    func clear() -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: self.url)
        return Endpoint(request: request, decodeResponse: EndpointExpectation.emptyResponse)
    }

    // Closures of the app's own, for what the library has no words for.
    func count() -> Endpoint<Int> {
        Endpoint(
            request: URLRequest(method: .head, url: self.url),
            validateResponse: { response in
                guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
            },
            decodeResponse: { _, response in
                Int(response.allHeaderFields["X-Count"] as? String ?? "") ?? 0
            }
        )
    }

    private func urlFor(id: Int) -> URL {
        self.url.appendingRelative(String(id))
    }
}
