// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// The todos as endpoints: values that say what to send and how to read the answer.
final class TodosAPI: Sendable {
    private let url: URL
    private let jsonDecoder = JSONDecoder()
    private let jsonEncoder = JSONEncoder()

    /// Creates an API.
    ///
    /// - Parameter url: The URL of the server.
    init(url: URL) {
        self.url = url.appendingRelative("/todos/")
    }

    func all() -> Endpoint<[Todo]> {
        var request = URLRequest(method: .get, url: url.appendingRelative("/todos"))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func get(id: Int) -> Endpoint<Todo> {
        var request = URLRequest(method: .get, url: urlFor(id: id))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func create(title: String) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .post, url: url.appendingRelative("/todos"))
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(TodoTitle(title: title))
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func rename(id: Int, to title: String) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .put, url: urlFor(id: id))
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(TodoTitle(title: title))
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func delete(id: Int) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: urlFor(id: id))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }

    /// A todo that the server writes wrong.
    func broken() -> Endpoint<Todo> {
        let request = URLRequest(method: .get, url: url.appendingRelative("broken"))
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    private func urlFor(id: Int) -> URL {
        url.appendingRelative(String(id))
    }
}
