// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// A limit of the process stands for a full disk; it has a process of its own.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test func fullDiskIsSaid() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) { try await FullDiskTests().check() }
        }
    }

    private func check() async throws {
        signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit(rlim_cur: 100_000, rlim_max: .max)
        #expect(setrlimit(resource, &limit) == 0)
        // What follows may write again, such as how often each line has run.
        defer {
            limit.rlim_cur = .max
            setrlimit(resource, &limit)
        }
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("export.bin")
        let content = pattern(300_000)
        let server = try LoopbackServer { _ in .respond(200, [("ETag", "\"v1\"")], body: content) }
        let api = API(transport: standardStack())
        for resume in [false, true] {
            let error = await #expect(throws: URLError.self) {
                try await api.download(
                    url: server.url.absoluteString, to: file, resume: resume, debug: false)
            }
            #expect(error?.code == .cannotWriteToFile)
            let sentence = "The file \(file.path) can't be written: File too large."
            #expect(error?.localizedDescription == sentence)
            #expect(folder.names == (resume ? ["export.bin.part", "export.bin.part.json"] : []))
        }
    }
}
#endif
