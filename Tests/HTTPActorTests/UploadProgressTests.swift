// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// O-20: what an upload says of its progress.
// One at a time: these move much.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UploadProgressTests {
    private typealias Answer = LoopbackServer.Answer

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func form(_ count: Int) throws -> MultipartForm {
        var form = MultipartForm()
        form.field("a", "1")
        form.file("f", url: try folder.file("a.bin", pattern(count)))
        return form
    }

    /// Uploads, and checks all that was said of it by the time that the call returned.
    private func upload(
        _ form: MultipartForm,
        _ stack: String,
        to server: LoopbackServer,
        method: HTTPMethod = .post,
        repeats: Bool = false
    ) async throws {
        let fractions = Locked<[Double]>([])
        let bytes = Locked<[HTTPRequest.UploadProgress]>([])
        let api = try API.over(stack)
        await api.setPersistConnectionDelay(0)
        try await api.upload(
            url: server.url.absoluteString,
            form: form,
            onProgress: { value in fractions.withLock { $0.append(value) } },
            onBytes: { value in bytes.withLock { $0.append(value) } },
            method: method,
            persistConnection: repeats,
            debug: false
        )
        let length = try #require(form.contentLength)
        let (values, sent) = (fractions.withLock { $0 }, bytes.withLock { $0 })
        #expect(values.allSatisfy { $0.isFinite && (0...1).contains($0) })
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        #expect(values.last == 1)
        #expect(sent.map(\.fraction) == values)
        #expect(sent.allSatisfy { $0.bytesInAll == length })
        #expect(sent.last?.bytesSent == length)
    }

    // The answer's 256 KiB in 8 writes cause no call.
    @Test(arguments: stacks)
    func progressRisesToOneAndHearsNothingOfTheAnswer(_ stack: String) async throws {
        let piece = pattern(32 << 10)
        let server = try LoopbackServer { _ in
            Answer(
                [.text("HTTP/1.1 200 OK\r\nContent-Length: \(8 * piece.count)\r\n\r\n")]
                    + (0..<8).map { _ in .send(piece) }
            )
        }
        try await upload(form(512 << 10), stack, to: server)
    }

    @Test(arguments: stacks)
    func progressOfAFormWithoutAPartEndsAtOne(_ stack: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await upload(MultipartForm(), stack, to: server)
    }

    @Test(arguments: stacks)
    func progressOfAnEmptyBodyEndsAtOne(_ stack: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let file = try folder.file("empty", Data())
        for body in [RequestBody.empty, .data(Data()), .file(file)] {
            let last = Locked(0.0)
            try await API.over(stack).upload(
                url: server.url.absoluteString,
                body: body,
                onProgress: { value in last.withLock { $0 = value } },
                debug: false
            )
            #expect(last.withLock { $0 } == 1)
        }
    }

    @Test(arguments: stacks)
    func progressNeverFallsOverARedirect(_ stack: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .respond(307, [("Location", "/x")]) : .text("ok")
        }
        let form = try form(300_000)
        try await upload(form, stack, to: server)
        #expect(server.requests.map(\.body) == Array(repeating: try form.encoded(), count: 2))
    }

    // O-40: both attempts carry the same, whole body.
    @Test(arguments: stacks)
    func progressNeverFallsOverARetry(_ stack: String) async throws {
        let server = try LoopbackServer(script: [.text("later", status: 503), .text("ok")])
        let form = try form(300_000)
        try await upload(form, stack, to: server, method: .put, repeats: true)
        #expect(server.requests.map(\.body) == Array(repeating: try form.encoded(), count: 2))
        #expect(server.requests.allSatisfy { $0.values("Content-Type") == [form.contentType] })
    }

    @Test(arguments: stacks)
    func progressNeverFallsOverALostConnection(_ stack: String) async throws {
        let server = try LoopbackServer(script: [
            Answer([.readBytes(100_000), .reset], readsBodyFirst: false), .text("ok"),
        ])
        let form = try form(4 << 20)
        try await upload(form, stack, to: server, method: .put, repeats: true)
        #expect(server.requests.last?.body == (try form.encoded()))
    }

    @Test func foundationsProgressShowsTheBytes() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let form = try form(300_000)
        let progress = Progress(totalUnitCount: -1)
        #expect(progress.isIndeterminate)
        try await API(transport: standardStack()).upload(
            url: server.url.absoluteString,
            form: form,
            onBytes: { $0.update(progress) },
            debug: false
        )
        #expect(progress.totalUnitCount == form.contentLength)
        #expect(progress.completedUnitCount == form.contentLength)
        #expect(progress.fractionCompleted == 1)
    }
}
