// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

// Loads models whose conformances belong to the main actor, from transports that answer by themselves,
// in both styles. Prints ok, or ends non-zero.
@main
struct AppRun {
    static func main() async {
        do {
            try await inEndpointStyle()
            try await inActorStyle()
            print("ok")
        } catch {
            print("failed:", error)
            exit(1)
        }
    }

    static func inEndpointStyle() async throws {
        let todos = TodosModel(transport: Stub(status: 200, json: #"[{"id": 7, "title": "tea"}]"#))
        await todos.reload()
        try expect(todos.todos.map(\.title) == ["tea"], "load(on:) gives the models")

        let missing = TodosModel(transport: Stub(status: 404, json: "{}"))
        await missing.reload()
        try expect(missing.message.contains("404"), "a 404 is said in words: \(missing.message)")

        let screen = TodosScreen(todos.api.shared(over: todos.transport))
        screen.start()
        await screen.refresh()
        try expect(screen.titles == ["tea"], "a shared endpoint gives the models")
        screen.remove(id: 7)
        screen.rest()

        let seen = Endpoint<Witness>(
            request: URLRequest(method: .get, url: todos.api.url),
            decodeResponse: JSONDecoder().decodeResponse
        )
        let transport = Stub(status: 200, json: #"{"id": 7, "name": "Ada"}"#)
        let awaited = try await seen.load(on: transport)
        try expect(awaited.id == 7, "load(on:) decodes on the main actor")

        let called = try await withCheckedThrowingContinuation { continuation in
            seen.load(on: transport) { result in
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume(with: result)
            }
        }
        try expect(called.id == 7, "the closure form decodes and delivers on the main actor")

        let queued = try await withCheckedThrowingContinuation { continuation in
            seen.load(on: transport, queue: DispatchQueue(label: "AppRun")) { result in
                continuation.resume(with: result)
            }
        }
        try expect(queued.id == 7, "the queue form decodes on the main actor")

        let session = URLSession(configuration: stubbed)
        let sent = try await withCheckedThrowingContinuation { continuation in
            session.dataTask(endpoint: seen) { continuation.resume(with: $0) }.resume()
        }
        try expect(sent.id == 7, "dataTask(endpoint:) decodes on the main actor")
        session.finishTasksAndInvalidate()
    }

    static func inActorStyle() async throws {
        let stub = Stub(status: 200, json: #"{"id": 7, "name": "Ada"}"#)
        let users = UsersModel(api: API(transport: stub))
        await users.configure()
        await users.load(id: "7")
        try expect(users.users.map(\.name) == ["Ada"], "request gives the model")

        let witness: Witness = try await API(transport: stub).request(
            url: "https://host/users/7",
            method: .get
        )
        try expect(witness.id == 7, "request decodes on the main actor")

        let stubbedUser: User = try await API(testConfiguration: stubbed).request(
            url: "https://host/users/7",
            method: .get
        )
        try expect(stubbedUser.name == "Ada", "a URLProtocol answers")

        let none: User? = try await API(transport: Stub(status: 204, json: "")).request(
            url: "https://host/users/8",
            method: .get
        )
        try expect(none == nil, "an empty body gives nil")

        let echoed: EchoedUser = try await API(transport: Echo()).request(
            url: "https://host/users",
            method: .post,
            body: jsonBody(NewUser(name: "Grace"))
        )
        try expect(echoed.name == "Grace", "jsonBody sends the model")

        let broken = UsersModel(api: API(transport: Stub(status: 200, json: #"{"id": "x"}"#)))
        await broken.load(id: "7")
        try expect(broken.message == "The server's answer could not be read.", broken.message)

        try expect(
            try await users.form(photo: URL(fileURLWithPath: #filePath)).count > 0,
            "a form is encoded"
        )

        let photos = PhotosModel(api: API(transport: stub))
        await photos.upload(URL(fileURLWithPath: #filePath))
        try expect(photos.photos.map(\.id) == [7], "upload gives the model")
        await photos.upload(URL(fileURLWithPath: "/nope.heic"))
        try expect(photos.message.contains("/nope.heic"), photos.message)
        let uploaded: Witness = try await API(transport: stub).upload(
            url: "https://host/photos",
            form: MultipartForm()
        )
        try expect(uploaded.id == 7, "upload decodes on the main actor")
        let photo = try await photos.endpoint(URL(fileURLWithPath: #filePath)).load(on: stub)
        try expect(photo.id == 7, "an endpoint uploads a form")
    }

    static var stubbed: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return configuration
    }

    static func expect(_ isTrue: Bool, _ what: String) throws {
        guard isTrue else { throw Surprise(what: what) }
    }

    struct Surprise: Error {
        let what: String
    }
}

// Ends the process when it is decoded anywhere but on the main actor.
struct Witness: Decodable {
    let id: Int

    enum Key: CodingKey {
        case id
    }

    init(from decoder: any Decoder) throws {
        MainActor.preconditionIsolated()
        id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
    }
}

struct EchoedUser: Decodable {
    let name: String
}

// Answers with what it was sent.
struct Echo: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard case .data(let data) = request.body else { throw URLError(.badServerResponse) }
        return HTTPResponse(
            status: 200,
            url: request.urlRequest.url!,
            body: ResponseBody(data)
        )
    }
}
