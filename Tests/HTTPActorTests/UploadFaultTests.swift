// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// How an upload ends that can't be completed, or has to be sent again.
// One at a time: these move much.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UploadFaultTests {
    private typealias Answer = LoopbackServer.Answer

    private static let size = 32 << 20

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func form(_ count: Int = size) throws -> MultipartForm {
        var form = MultipartForm()
        form.field("a", "1")
        form.file("f", url: try folder.file("a.bin", pattern(count)))
        return form
    }

    /// What a server does that has said 413: it reads on for a while, or says nothing more.
    private static let endings: [[LoopbackServer.Step]] = [[.halfClose, .drain(1)], [.hold]]

    /// The server's word, and not a broken pipe.
    @Test(arguments: stacks, endings.indices)
    func anEarly413StopsTheSendingAndArrivesWithItsBody(_ stack: String, ending: Int) async throws {
        let refusal = """
            HTTP/1.1 413 Content Too Large\r
            Connection: close\r
            Content-Length: 15\r
            \r
            {"error":"big"}
            """
        let server = try LoopbackServer(script: [
            Answer(
                [.readBytes(65_536), .text(refusal)] + Self.endings[ending],
                readsBodyFirst: false,
                keepsAlive: false
            ),
            .text("next"),
        ])
        let highest = Locked(0.0)
        let (api, url) = (try API.over(stack), server.url.absoluteString)
        let error = await #expect(throws: HTTPStatusError.self) {
            try await api.upload(
                url: url,
                form: form(),
                onProgress: { value in highest.withLock { $0 = value } },
                debug: false
            )
        }
        #expect(error?.status == 413)
        #expect(error?.body == Data(#"{"error":"big"}"#.utf8))
        #expect(server.bytesReceived < Self.size)
        #expect(highest.withLock { $0 } < 1)
        await folder.waitUntilClosed("a.bin")
        let text: String = try await api.request(url: url, method: .get, debug: false)
        #expect(text == "next")
    }

    @Test(arguments: stacks, [true, false])
    func aServerThatClosesInTheMiddleIsALostConnection(
        _ stack: String,
        resets: Bool
    ) async throws {
        let server = try LoopbackServer(script: [
            Answer(
                [.readBytes(65_536), resets ? .reset : .close],
                readsBodyFirst: false,
                keepsAlive: false
            )
        ])
        let error = await #expect(throws: URLError.self) {
            try await API.over(stack).upload(
                url: server.url.absoluteString,
                form: form(),
                debug: false,
                timeoutInterval: 30
            )
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.requestMayHaveArrived == true)
        #expect(server.requests.count == 1)
        await folder.waitUntilClosed("a.bin")
    }

    @Test(arguments: stacks)
    func anAnswerThatIsCutIsALostConnection(_ stack: String) async throws {
        let server = try LoopbackServer(script: [
            .cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        ])
        let error = await #expect(throws: URLError.self) {
            let _: String = try await API.over(stack).upload(
                url: server.url.absoluteString,
                form: form(1_000),
                debug: false
            )
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.requestMayHaveArrived == true)
    }

    @Test(arguments: stacks)
    func aCancelInTheMiddleEndsIt(_ stack: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer(script: [
            Answer([.readBytes(65_536), .wait(gate)], readsBodyFirst: false), .text("next"),
        ])
        let (api, url, form) = (try API.over(stack), server.url.absoluteString, try form())
        let upload = Task { try await api.upload(url: url, form: form, debug: false) }
        #expect(await server.waitForBytes(65_536))
        upload.cancel()
        await #expect(throws: CancellationError.self) { try await upload.value }
        await folder.waitUntilClosed("a.bin")
        gate.open()
        #expect(await server.waitForOpenConnections(0))
        let text: String = try await api.request(url: url, method: .get, debug: false)
        #expect(text == "next")
    }

    @Test(arguments: stacks)
    func nothingThatMovesIsATimeout(_ stack: String) async throws {
        let server = try LoopbackServer(script: [
            Answer([.readBytes(65_536), .hold], readsBodyFirst: false)
        ])
        let error = await #expect(throws: URLError.self) {
            try await API.over(stack).upload(
                url: server.url.absoluteString,
                form: form(1_000),
                debug: false,
                timeoutInterval: 0.1
            )
        }
        #expect(error?.code == .timedOut)
    }

    // O-18. With libcurl the server never gets a whole message of other bytes; with URLSession it gets
    // the file as it was.
    @Test(arguments: stacks)
    func aFileThatShrinksIsNeverTakenForAWholeOne(_ stack: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer(script: [
            Answer([.readBytes(65_536), .wait(gate), .readBody, .text(ok)], readsBodyFirst: false),
            .text("next"),
        ])
        let form = try form()
        let (api, url) = (try API.over(stack), server.url.absoluteString)
        let body = try form.encoded()
        let upload = Task { try await api.upload(url: url, form: form, debug: false) }
        #expect(await server.waitForBytes(65_536))
        let file = folder.url.appendingPathComponent("a.bin")
        #expect(truncate(file.path, 300 << 10) == 0)
        gate.open()
        if stack == "curl" {
            let error = await #expect(throws: MultipartError.self) { try await upload.value }
            #expect(error?.kind == .fileChanged)
            #expect(error?.path == file.path)
            #expect(server.requests.map(\.bodyIsComplete) == [false])
        } else {
            try await upload.value
            #expect(server.requests.map(\.body) == [body])
        }
        let text: String = try await api.request(url: url, method: .get, debug: false)
        #expect(text == "next")
        if stack == "curl" { #expect(server.requests.map(\.connection) == [0, 1]) }
    }

    private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    // O-40 (a) and (b), over a connection that drops, a status, and both.
    @Test(arguments: stacks)
    func eachAttemptCarriesTheWholeBody(_ stack: String) async throws {
        let form = try form(300_000)
        let bytes = pattern(1_024)
        let api = try API.over(stack)
        await api.setPersistConnectionDelay(0)
        for isForm in [true, false] {
            let server = try LoopbackServer(script: [
                .text("later", status: 503), .respond(429, [("Retry-After", "0")]), .text("ok"),
            ])
            let url = server.url.absoluteString
            if isForm {
                try await api.upload(
                    url: url, form: form, method: .put, persistConnection: true, debug: false)
            } else {
                try await api.upload(
                    url: url, body: .data(bytes), method: .put, persistConnection: true,
                    debug: false)
            }
            let whole = isForm ? try form.encoded() : bytes
            #expect(server.requests.map(\.body) == [whole, whole, whole])
            #expect(
                server.requests.map { $0.values("Content-Length") }
                    == Array(repeating: ["\(whole.count)"], count: 3))
        }
    }

    /// A form whose file has gone by the second attempt is an error, never another body.
    @Test(arguments: stacks)
    func aFileThatHasGoneByTheSecondAttemptIsAnError(_ stack: String) async throws {
        let file = try folder.file("a.bin", pattern(1_000))
        let server = try LoopbackServer { _ in
            unlink(file.path)
            return .text("later", status: 503)
        }
        var form = MultipartForm()
        form.file("f", url: file)
        let api = try API.over(stack)
        await api.setPersistConnectionDelay(0)
        let error = await #expect(throws: MultipartError.self) {
            try await api.upload(
                url: server.url.absoluteString, form: form, method: .put,
                persistConnection: true, debug: false)
        }
        #expect(error?.path == file.path)
        #expect(server.requests.filter(\.bodyIsComplete).count == 1)
    }

    @Test(arguments: stacks)
    func uploadsAtOnceDoNotMix(_ stack: String) async throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let (api, url) = (try API.over(stack), server.url.absoluteString)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                let text = String(repeating: "\(number),", count: 1_000 * (number + 1))
                let file = try folder.file("\(number).txt", Data(text.utf8))
                group.addTask {
                    var form = MultipartForm()
                    form.field("number", "\(number)")
                    form.file("f", url: file)
                    let seen = Locked<[HTTPRequest.UploadProgress]>([])
                    let echo: Data = try await api.upload(
                        url: url,
                        form: form,
                        onBytes: { value in seen.withLock { $0.append(value) } },
                        debug: false
                    )
                    #expect(echo == (try form.encoded()))
                    let values = seen.withLock { $0 }
                    #expect(values.allSatisfy { $0.bytesInAll == form.contentLength })
                    #expect(values.last?.bytesSent == form.contentLength)
                }
            }
            try await group.waitForAll()
        }
    }
}
