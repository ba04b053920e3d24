// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// Endpoints in the way of TinyHTTP's own documentation.
final class TodosAPI {
    private let url: URL
    private let jsonDecoder = JSONDecoder()
    private let jsonEncoder = JSONEncoder()

    init(url: URL) {
        self.url = url
    }

    lazy var all: Endpoint<[Todo]> = {
        var request = URLRequest(method: .get, url: url)
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }()

    func get(id: Int) -> Endpoint<Todo> {
        var request = URLRequest(method: .get, url: url.appendingRelative(String(id)))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func search(_ text: String) -> Endpoint<[Todo]> {
        var request = URLRequest(
            method: .get,
            url: url.appendingGetParameters(["q": text, "limit": "10"])
        )
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func post(_ todo: Todo) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .post, url: url)
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(todo)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func put(_ todo: Todo) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .put, url: url.appendingRelative(String(todo.id)))
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(todo)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func delete(id: Int) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: url.appendingRelative(String(id)))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }
}
