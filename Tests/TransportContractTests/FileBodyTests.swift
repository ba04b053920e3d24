// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// One at a time: these move much.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FileBodyTests {
    @Test(arguments: Subject.all)
    func fileIsSentWithItsLength(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let folder = try Folder()
        let transport = subject.transport()
        for content in [pattern(300_000), Data()] {
            let file = try folder.file("a b.bin", content)
            let request = HTTPRequest.make(.put, server.url("/"), .file(file))
            #expect(await transport.outcome(request).text == "ok")
            #expect(server.requests.last?.body == content)
            #expect(server.requests.last?.values("Content-Length") == ["\(content.count)"])
            #expect(server.requests.last?.values("Transfer-Encoding") == [])
        }
    }

    /// O-16: what can't be sent is said before anything is.
    @Test(arguments: Subject.all)
    func fileThatCannotBeSentIsNamed(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let folder = try Folder()
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        var cases: [(URL, URLError.Code)] = [
            (folder.url.appendingPathComponent("nope.bin"), .fileDoesNotExist),
            (folder.url.appendingPathComponent("nope/nope.bin"), .fileDoesNotExist),
            (folder.url, .fileIsDirectory),
            (pipe, .cannotOpenFile),
        ]
        // Nothing is unreadable for root.
        if geteuid() != 0 {
            let secret = try folder.file("secret", Data("s".utf8))
            #expect(chmod(secret.path, 0) == 0)
            cases.append((secret, .noPermissionsToReadFile))
        }
        for (url, code) in cases {
            let outcome = await transport.outcome(.make(.post, server.url("/"), .file(url)))
            let error = try #require(outcome.urlError)
            #expect(error.code == code)
            #expect(error.localizedDescription.contains(url.path))
            #expect(!error.requestMayHaveArrived)
        }
        #expect(server.acceptCount == 0)
    }

    /// A web address is no file, though it has a path.
    @Test(arguments: Subject.all)
    func urlThatIsNoFileIsRefused(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let file = try Folder().file("a", Data("a".utf8))
        let url = try #require(URL(string: "http://localhost\(file.path)"))
        let body = RequestBody.file(url)
        let outcome = await subject.transport().outcome(.make(.post, server.url("/"), body))
        #expect(outcome.urlError?.code == .cannotOpenFile)
        #expect(server.acceptCount == 0)
    }

    /// O-18: the server never takes a cut file for a whole one.
    @Test(arguments: Subject.all)
    func fileThatShrinksFails(_ subject: Subject) async throws {
        let content = pattern(32 << 20)
        let gate = Gate()
        let server = try LoopbackServer(script: [
            LoopbackServer.Answer(
                [.readBytes(65_536), .wait(gate), .readBody, .text("HTTP/1.1 200 OK\r\n\r\n")],
                readsBodyFirst: false, keepsAlive: false),
            .text("next"),
        ])
        let folder = try Folder()
        let file = try folder.file("a.bin", content)
        let transport = subject.transport()
        let request = HTTPRequest.make(.post, server.url("/"), .file(file))
        let task = Task { await transport.outcome(request) }
        #expect(await server.waitForBytes(65_536))
        #expect(truncate(file.path, 300 << 10) == 0)
        gate.open()
        try await subject.expect(.shrinkingFile) {
            let outcome = await task.value
            let error = try #require(outcome.urlError)
            #expect(error.localizedDescription.contains(file.path))
            #expect(error.requestMayHaveArrived)
            #expect(server.requests.first?.bodyIsComplete == false)
        }
        #expect(try await transport.text(server.url("/next")) == "next")
        #expect(server.requests.map(\.connection) == [0, 1])
    }
}
