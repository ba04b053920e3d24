// SPDX-License-Identifier: MIT

// Describes an API as a class whose methods return endpoints. Nothing is loaded here.

import Foundation
import HTTPEndpoints

struct Todo: Codable {
    var id: Int?
    var title: String
}

final class TodosAPI: Sendable {
    static let shared = TodosAPI()

    private let url = URL(string: "https://host/todos/")!
    private let jsonDecoder = JSONDecoder()
    private let jsonEncoder = JSONEncoder()

    func todos() -> Endpoint<[Todo]> {
        var request = URLRequest(method: .get, url: url)
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func todo(id: Int) -> Endpoint<Todo> {
        var request = URLRequest(method: .get, url: url.appendingRelative(String(id)))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func search(_ text: String) -> Endpoint<[Todo]> {
        var request = URLRequest(method: .get, url: url.appendingGetParameters(["q": text]))
        request.setHeaderAccept(.json)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func put(_ todo: Todo, id: Int) throws -> Endpoint<Todo> {
        var request = URLRequest(method: .put, url: url.appendingRelative(String(id)))
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.json)
        request.httpBody = try jsonEncoder.encode(todo)
        return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
    }

    func delete(id: Int) -> Endpoint<Void> {
        let request = URLRequest(method: .delete, url: url.appendingRelative(String(id)))
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }

    // An endpoint that takes 304 for an answer too, and sends a header of yours.
    func todos(unlessTagged tag: String) throws -> Endpoint<Data?> {
        var request = URLRequest(method: .get, url: url)
        try request.setHeader("If-None-Match", tag)
        return Endpoint(
            request: request,
            validateResponse: { response in
                if response.statusCode == 304 { return }
                try EndpointExpectation.successStatusCode(response: response)
            },
            decodeResponse: { data, response in response.statusCode == 304 ? nil : data }
        )
    }
}

print(TodosAPI.shared.todo(id: 7))  // [GET https://host/todos/7]
