// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// O-17: what an upload leaves in the temporary directory.
///
/// Each test has a process of its own, with a temporary directory of its own.
@Suite(.timeLimit(.minutes(5)))
struct UploadTemporaryFileTests {
    private typealias Answer = LoopbackServer.Answer

    /// Not even in the middle: libcurl reads the form while it sends it, and the file that URLSession gets it
    /// from has no name.
    @Test(arguments: stacks)
    func anUploadLeavesNoTemporaryFileHoweverItEnds(_ stack: String) async throws {
        await inTurn {
            await #expect(processExitsWith: .success) { [stack = stack as String] in
                try await Directory(stack).check()
            }
        }
    }

    @Test(arguments: stacks)
    func aProcessThatIsAskedToStopLeavesNothing(_ stack: String) async throws {
        let temporary = try Folder()
        await inTurn {
            await #expect(processExitsWith: .signal(SIGTERM)) {
                [stack = stack as String, path = temporary.url.path as String] in
                try await Directory(stack, at: path).stop()
            }
        }
        #expect(temporary.names == [])
    }

    /// The temporary directory of a process, and an upload in it.
    private final class Directory {
        private let stack: String
        private let path: String
        private let files: Folder
        private let api: API

        init(_ stack: String, at path: String? = nil) throws {
            self.stack = stack
            files = try Folder()
            self.path = path ?? files.url.appendingPathComponent("tmp").path
            if path == nil { #expect(mkdir(self.path, 0o700) == 0) }
            #expect(setenv("TMPDIR", self.path, 1) == 0)
            api = try API.over(stack)
        }

        private var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
        }

        private func form() throws -> MultipartForm {
            var form = MultipartForm()
            form.file("f", url: try files.file("a.bin", pattern(4 << 20)))
            return form
        }

        /// Each way that an upload can end: nothing is there in the middle, nor at the end.
        func check() async throws {
            #expect(try await failure(.text("ok")) == nil)
            #expect(try names == [])
            #expect(try await failure(.text("no", status: 500)) is HTTPStatusError)
            #expect(try names == [])
            #expect(try await failure(Answer([.reset])) is URLError)
            #expect(try names == [])
            for _ in 0..<20 {
                #expect(try await failure(.text("ok"), cancels: true) is CancellationError)
                #expect(try names == [])
            }
            let refused = "http://127.0.0.1:\(try LoopbackServer.closedPort())/"
            await #expect(throws: URLError.self) {
                try await api.upload(url: refused, form: form(), debug: false)
            }
            #expect(try names == [])
            var missing = try form()
            missing.file("g", url: files.url.appendingPathComponent("nope.bin"))
            await #expect(throws: MultipartError.self) {
                try await api.upload(url: refused, form: missing, debug: false)
            }
            #expect(try names == [])
        }

        private func failure(_ answer: Answer, cancels: Bool = false) async throws -> (any Error)? {
            let gate = Gate()
            let steps: [LoopbackServer.Step] = [.readBytes(65_536), .wait(gate), .readBody]
            let server = try LoopbackServer(script: [
                Answer(steps + answer.steps, readsBodyFirst: false, keepsAlive: false)
            ])
            let (api, form, url) = (api, try form(), server.url.absoluteString)
            let task = Task { try await api.upload(url: url, form: form, debug: false) }
            #expect(await server.waitForBytes(65_536))
            #expect(try names == [])
            if cancels { task.cancel() }
            gate.open()
            switch await task.result {
            case .success: return nil
            case .failure(let error): return error
            }
        }

        /// Ends the process in the middle.
        func stop() async throws {
            let server = try LoopbackServer(script: [
                Answer([.readBytes(65_536), .hold], readsBodyFirst: false)
            ])
            let (api, url) = (api, server.url.absoluteString)
            var form = MultipartForm()
            form.file("f", data: Data(count: 4 << 20), filename: "f")
            let task = Task { [form] in try await api.upload(url: url, form: form, debug: false) }
            #expect(await server.waitForBytes(65_536))
            #expect(try names == [])
            try FileManager.default.removeItem(at: files.url)
            kill(getpid(), SIGTERM)
            try await task.value
        }
    }
}
#endif
