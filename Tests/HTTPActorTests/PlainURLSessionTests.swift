// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A form that Foundation's URLSession sends, with nothing else of this package.
@Suite(.timeLimit(.minutes(5)))
struct PlainURLSessionTests {
    private let folder: Folder
    private let server: LoopbackServer
    private let form: MultipartForm
    private var request: URLRequest

    init() throws {
        folder = try Folder()
        server = try LoopbackServer { _ in .text("ok") }
        var form = MultipartForm()
        form.field("title", "héllo")
        form.file("photo", url: try folder.file("beach.heic", pattern(300_000)))
        self.form = form
        request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }

    @Test func itsStreamArrivesByteForByte() async throws {
        var request = request
        request.httpBodyStream = form.inputStream()
        try await send { $0.dataTask(with: request, completionHandler: $1) }
        #expect(server.requests.map(\.body) == [try form.encoded()])
    }

    // O-19
    @Test func aFileOfItArrivesWithItsLength() async throws {
        let file = folder.url.appendingPathComponent("form.bin")
        try form.write(to: file)
        try await send { [request] in
            $0.uploadTask(with: request, fromFile: file, completionHandler: $1)
        }
        #expect(server.requests.map(\.body) == [try form.encoded()])
        let length = ["\(form.contentLength ?? 0)"]
        #expect(server.requests.map { $0.values("Content-Length") } == [length])
        #expect(server.requests.map { $0.values("Transfer-Encoding") } == [[]])
    }

    private typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    private func send(_ task: (URLSession, @escaping Completion) -> URLSessionTask) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let status: Int = try await withCheckedThrowingContinuation { continuation in
            let task = task(session) { _, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                continuation.resume(with: error.map { .failure($0) } ?? .success(status))
            }
            task.resume()
        }
        #expect(status == 200)
    }
}
