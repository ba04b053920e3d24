// SPDX-License-Identifier: MIT

// Reads lines, JSON Lines and Server-Sent Events as they come, in both styles.

import Foundation
import HTTPActor
import HTTPEndpoints

struct Message: Decodable {
    let text: String
}

let transport: any HTTPTransport = .default
let url = URL(string: "https://host/news")!

let response = try await transport.send(HTTPRequest(URLRequest(method: .get, url: url)))
for try await line in response.lines {
    print(line)
}

func readValues(of response: HTTPResponse) async throws {
    for try await message in response.jsonLines(of: Message.self) {
        print(message.text)
    }
}
try await readValues(of: API.shared.stream(url: "https://host/messages.ndjson"))

func readEvents(of response: HTTPResponse) async throws {
    for try await event in response.events {
        print(event.data)
    }
}
try await readEvents(of: API.shared.stream(url: "https://host/answers/7"))

let endpoint = Endpoint<Void>(
    request: URLRequest(method: .get, url: url),
    decodeResponse: EndpointExpectation.ignoreResponse
)
for try await event in try await endpoint.stream().events {
    print(event.data)
}

// Connects again when the stream ends or breaks off, and goes on after the last event.
for try await event in try API.shared.events(url: "https://host/news") {
    print(event.data)
}
let request = HTTPRequest(URLRequest(method: .get, url: url))
for try await event in transport.events(for: request) {
    print(event.id, event.data)
}
