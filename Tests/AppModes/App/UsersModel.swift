// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

struct CSVBody: HTTPBody {
    let rows: [[String]]

    func encoded() throws -> (data: Data, contentType: String) {
        let lines = rows.map { $0.joined(separator: ",") }
        return (Data(lines.joined(separator: "\n").utf8), "text/csv")
    }
}

// LCEssentials' way of writing.
@MainActor
class UsersModel {
    let api: API
    var users: [User] = []
    var drafts: [Draft] = []
    var message = ""

    init(api: API = .shared) {
        self.api = api
    }

    func load(id: String) async {
        do {
            let user: User = try await api.request(
                url: "https://host/users/{id}",
                method: .get,
                pathParams: ["id": id]
            )
            users.append(user)
        } catch let error as NSError where error.code == 404 {
            message = error.localizedFailureReason ?? error.localizedDescription
        } catch {
            message = userMessage(for: error)
        }
    }

    func loadAll() async throws {
        users = try await api.request(url: "https://host/users", method: .get)
        let last: User? = try await api.request(url: "https://host/users/last", method: .get)
        let byName: [String: User] = try await api.request(
            url: "https://host/users/by-name",
            method: .get,
            headers: ["Accept": "application/json"],
            persistConnection: true,
            debug: false,
            timeoutInterval: 5
        )
        users += byName.values + [last].compactMap { $0 }
    }

    func loadPlain() async throws {
        let text: String = try await API.shared.request(url: "https://host/motd", method: .get)
        let data: Data = try await API.shared.request(url: "https://host/logo", method: .get)
        let number: Int? = try await API.shared.request(url: "https://host/count", method: .get)
        message = "\(text), \(data.count) bytes, \(number ?? 0)"
    }

    func send() async throws {
        let user: User = try await API.shared.request(
            url: "https://host/users",
            method: .post,
            body: jsonBody(NewUser(name: "Ada"))
        )
        users.append(user)
        try await API.shared.request(
            url: "https://host/login",
            method: .post,
            body: .form(["user": "ada", "pw": "p+q&r"])
        )
        try await API.shared.request(
            url: "https://host/tags",
            method: .post,
            body: .form([("tag", "new"), ("tag", "blue")])
        )
        try await API.shared.request(
            url: "https://host/photo",
            method: .put,
            body: RawBody(data: Data([0xFF]), contentType: "image/jpeg")
        )
        try await API.shared.request(
            url: "https://host/import",
            method: .post,
            body: CSVBody(rows: [["7", "Ada"]])
        )
        _ = try CSVBody(rows: []).encoded()
    }

    func configure() async {
        API.logsByDefault = false
        API.maxPersistRetries = 2
        await API.shared.setPersistConnectionDelay(0.1)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        _ = API(testConfiguration: configuration)
    }

    func form(photo: URL) async throws -> Data {
        var form = MultipartForm()
        form.field("title", "Summer")
        form.file("note", data: Data("hello".utf8), filename: "note.txt")
        form.file("photo", url: photo, mime: "image/heic")
        for try await chunk in form { message += "\(chunk.count) " }
        message += "\(form.contentType), \(form.contentLength ?? 0) bytes"
        return try form.encoded()
    }
}

// What a test of the app answers with.  URLProtocol belongs to no actor, so neither can this.
nonisolated final class StubProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let response = HTTPURLResponse(
            url: request.url!,
            statusCode: 200,
            httpVersion: nil,
            headerFields: nil
        )!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(#"{"id": 7, "name": "Ada"}"#.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
