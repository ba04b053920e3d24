// SPDX-License-Identifier: MIT

// Reads the keys and dates of a server as it writes them, and what it says when it refuses.

import Foundation
import HTTPActor
import HTTPEndpoints

struct Person: Codable {
    let firstName: String
    let bornOn: Date
}

struct Problem: Decodable, Error {
    let errorCode: Int
}

let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
decoder.dateDecodingStrategy = .secondsSince1970

let api = API(transport: .default, decoder: decoder, failure: Problem.self)

do {
    let person: Person = try await api.request(url: "https://host/people/7", method: .get)
    print(person.firstName)
} catch let problem as Problem {
    print(problem.errorCode)
} catch let error as HTTPStatusError {
    // The server refused, and did not say it in that form.
    print(error.status)
} catch {
    print(userMessage(for: error))
}

var endpoint = Endpoint<Person>(
    request: URLRequest(method: .get, url: URL(string: "https://host/people/7")!),
    decodeResponse: decoder.decodeResponse
)
endpoint.decodeFailure = { try? decoder.decode(Problem.self, from: $0.body) }
let person = try await endpoint.load()

let encoder = JSONEncoder()
encoder.keyEncodingStrategy = .convertToSnakeCase
encoder.dateEncodingStrategy = .secondsSince1970
let body = jsonBody(person, encoder: encoder)
try await api.request(url: "https://host/people", method: .post, body: body)
