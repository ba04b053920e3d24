// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import HTTPMultipart
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An endpoint whose body is read while it is sent.
@Suite(.timeLimit(.minutes(5)))
struct EndpointBodyTests {
    private func endpoint(
        _ url: URL,
        _ body: RequestBody?,
        type: String = "text/plain"
    ) throws -> Endpoint<Data?> {
        var request = URLRequest(method: .post, url: url)
        try request.setHeader("Content-Type", type)
        request.httpBody = Data("its own".utf8)
        var endpoint = Endpoint<Data?>(request: request) { data, _ in data }
        endpoint.body = body
        return endpoint
    }

    @Test func aFormIsReadFromDiskForEachLoad() async throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString).txt")
        try Data(repeating: 0x61, count: 300_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var form = MultipartForm()
        form.field("a", "1")
        form.file("f", url: file)
        let body = RequestBody.stream(form.inputStream, length: form.contentLength)
        var endpoint = try endpoint(server.url, body, type: form.contentType)
        let fractions = Locked<[Double?]>([])
        endpoint.onUploadProgress = { value in fractions.withLock { $0.append(value.fraction) } }
        let transport = standardStack()
        for count in 1...2 {
            #expect(try await endpoint.load(on: transport) == (try form.encoded()))
            #expect(fractions.withLock { $0.filter { $0 == 1 }.count } == count)
        }
        #expect(server.requests.allSatisfy { $0.values("Content-Type") == [form.contentType] })
        let length = ["\(form.contentLength ?? 0)"]
        #expect(server.requests.map { $0.values("Content-Length") } == [length, length])
    }

    @Test func aFormWhoseFileHasGoneIsAnErrorAndNothingIsSent() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString).txt")
        try Data("text".utf8).write(to: file)
        var form = MultipartForm()
        form.file("f", url: file)
        let body = RequestBody.stream(form.inputStream, length: form.contentLength)
        let endpoint = try endpoint(server.url, body, type: form.contentType)
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: MultipartError.self) {
            try await endpoint.load(on: standardStack())
        }
        #expect(error?.path == file.path)
        #expect(server.acceptCount == 0)
    }

    @Test func theBodyWinsOverTheRequestsOwn() async throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let transport = standardStack()
        let bodies: [(RequestBody?, String)] = [
            (nil, "its own"), (.data(Data("other".utf8)), "other"), (.empty, ""),
        ]
        for (body, expected) in bodies {
            let data = try await endpoint(server.url, body).load(on: transport)
            #expect(data == Data(expected.utf8))
        }
    }

    /// Never the request's own body in its place.
    @Test func aTaskOfAURLSessionSaysThatItCannotSendTheBody() async throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        #expect(try await load(endpoint(server.url, nil), on: session) == Data("its own".utf8))
        for body in [RequestBody.data(Data("other".utf8)), .stream(MultipartForm())] {
            let error = await #expect(throws: URLError.self) {
                try await load(endpoint(server.url, body), on: session)
            }
            #expect(error?.localizedDescription.contains("load the endpoint") == true)
        }
        #expect(server.requests.count == 1)
    }

    private func load(_ endpoint: Endpoint<Data?>, on session: URLSession) async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(endpoint: endpoint) { continuation.resume(with: $0) }.resume()
        }
    }
}
