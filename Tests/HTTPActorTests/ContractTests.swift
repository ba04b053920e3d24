// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import Testing

/// Uses each name that must not change, in the types it must have: that it compiles is the test.
///
/// The one import shows that the names of HTTPCore come with it.
struct ContractTests {
    private struct Model: Codable, Sendable {}

    private struct Answering: HTTPTransport {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(
                status: 200,
                url: request.urlRequest.url!,
                body: ResponseBody(Data("{}".utf8))
            )
        }
    }

    @Test func theNamesOfTheCore() async throws {
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        #expect(
            methods.map(\.rawValue) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        )
        #expect(Set([HTTPMethod(rawValue: "PURGE")]).count == 1)
        let types: Set<ContentType> = [
            .json, .xml, .formURLEncoded, .text, .octetStream, ContentType(rawValue: "text/csv"),
        ]
        #expect(types.count == 6)

        let url = URL(string: "https://host/path/?a=1")!
        #expect(
            url.appendingGetParameters(["c": "x+y", "b": "2"]).absoluteString
                == "https://host/path/?a=1&b=2&c=x%2By"
        )
        #expect(url.appendingRelative("7").absoluteString == "https://host/path/7")
        var request = URLRequest(method: .put, url: url)
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.xml)
        try request.setHeader("X-A", "1")

        let bodies: [(any HTTPBody)?] = [
            jsonBody(Model()), RawBody(data: Data(), contentType: "text/plain"),
            .form(["a": "b"]), .form([("a", "b"), ("a", "c")]),
        ]
        let encoded: [(data: Data, contentType: String)] = try bodies.compactMap {
            try $0?.encoded()
        }
        #expect(encoded[0].contentType == "application/json; charset=UTF-8")

        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: nil
        )!
        let model: Model = try JSONDecoder().decodeResponse(Data("{}".utf8), response)
        let decode: @Sendable (Data?, HTTPURLResponse) throws -> Model = JSONDecoder()
            .decodeResponse
        let onMainActor: @Sendable (Data?, HTTPURLResponse, MainActor) throws -> Model =
            JSONDecoder().decodeResponse
        _ = (model, decode, onMainActor)

        var httpRequest = HTTPRequest(request, body: .data(Data()))
        let options: HTTPRequest.Options = httpRequest.options
        httpRequest.options = options
        let requestBodies: [RequestBody] = [
            .empty, .file(url), .stream(Chunked(), length: 3), .stream(Chunked()),
        ]
        #expect(requestBodies.map(\.isEmpty) == [true, false, false, false])
        let transports: [any HTTPTransport] = [.default, Answering()]
        let answer: HTTPResponse = try await transports[1].send(HTTPRequest(request))
        #expect(answer.status == 200)
        #expect(try await answer.data(upTo: 10) == Data("{}".utf8))
    }

    private struct Chunked: AsyncSequence, Sendable {
        func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
            AsyncStream { $0.finish() }.makeAsyncIterator()
        }
    }

    @Test func theNamesOfTheActor() async throws {
        let shared: API = API.shared
        let tested = API(testConfiguration: .ephemeral)
        let api = API(transport: Answering())
        let (retries, logs): (Int, Bool) = (API.maxPersistRetries, API.logsByDefault)
        _ = (shared, tested, retries, logs)
        let seconds: TimeInterval = 0
        await api.setPersistConnectionDelay(seconds)
        let kind: URLRequest.NetworkServiceType = .default
        let model: Model = try await api.request(
            url: "https://host/{id}",
            method: .post,
            body: jsonBody(Model()),
            headers: ["X-A": "1"],
            pathParams: ["id": "1"],
            persistConnection: false,
            debug: false,
            timeoutInterval: 30,
            networkServiceType: kind
        )
        _ = model
        let _: Model? = try await api.request(
            url: "https://host/",
            method: .get,
            body: .form(["a": "b"]),
            debug: false
        )
        let _: String = try await api.request(url: "https://host/", method: .get, debug: false)
        let _: Data = try await api.request(
            url: "https://host/",
            method: .put,
            body: RawBody(data: Data(), contentType: "a/b"),
            debug: false
        )
        try await api.request(
            url: "https://host/",
            method: .post,
            body: jsonBody(Model()),
            headers: ["X-A": "1"],
            pathParams: [:],
            persistConnection: false,
            debug: false,
            timeoutInterval: 30,
            networkServiceType: kind
        )
    }

    @Test func theNamesOfUploads() async throws {
        let api = API(transport: Answering())
        let (url, form) = ("https://host/", MultipartForm())
        let onProgress: @Sendable (Double) -> Void = { _ in }
        let _: Model = try await api.upload(url: url, form: form, onProgress: onProgress)
        let _: Model? = try await api.upload(url: url, form: form, onProgress: nil)
        let _: String = try await api.upload(url: url, form: form) { _ in }
        let _: Data = try await api.upload(url: url, form: form)
        try await api.upload(url: url, form: form, onProgress: onProgress)
        try await api.upload(url: url, form: form) { #expect($0 <= 1) }
        try await api.upload(
            url: "https://host/{id}",
            form: form,
            method: .put,
            headers: [:],
            pathParams: ["id": "1"],
            persistConnection: false,
            debug: false,
            timeoutInterval: 1,
            networkServiceType: .default
        )
    }

    @Test func theNamesOfMultipartComeWithTheActor() throws {
        var form = MultipartForm()
        form.field("a", "1")
        #expect(form.contentType.hasPrefix("multipart/form-data; boundary="))
    }
}
