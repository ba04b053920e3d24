// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPCore

/// A body for URLSession, with files as on Apple's platforms and without as on Linux.
// One at a time: these count what is in the temporary directory.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct URLSessionBodyInternalTests {
    private struct Pieces: AsyncSequence, Sendable {
        let pieces: [Data]
        var error: (any Error & Sendable)?

        func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish(throwing: error)
            }.makeAsyncIterator()
        }
    }

    private struct Failure: Error {}

    /// Nothing else in this process has such files.
    private var temporaryFiles: [String] {
        let path = FileManager.default.temporaryDirectory.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        // The tests' own folders have another name.
        return names.filter { $0.hasPrefix("Duet-") }
    }

    private let pieces = Pieces(pieces: [Data("one".utf8), Data("two".utf8)])

    /// Whatever ends the process then, no file stays behind.
    @Test func aStreamIsSentFromAFileThatHasNoNameAnyMore() async throws {
        let before = temporaryFiles
        let seen = Locked<[[String]]>([])
        let body = try await URLSessionBody(
            .stream(
                pieces.map { piece in
                    seen.withLock { $0.append(temporaryFiles) }
                    return piece
                }))
        #expect(body.data == Data("onetwo".utf8))
        #expect(body.file == nil)
        #expect(body.length == 6)
        #expect(seen.withLock { $0 } == [before, before])
        #expect(temporaryFiles == before)
    }

    @Test func anEmptyStreamIsAnEmptyBody() async throws {
        let body = try await URLSessionBody(.stream(Pieces(pieces: [])))
        #expect(body.data == Data())
        #expect(body.length == 0)
    }

    #if os(Linux)
    /// Not in memory: what is resident of a mapped file can be read again, and counts as the file's.
    @Test func aLongStreamTakesNoMemory() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let piece = Data(repeating: 1, count: 1 << 20)
                let body = try await URLSessionBody(
                    .stream(Pieces(pieces: Array(repeating: piece, count: 256))))
                let bytes = try #require(body.data)
                try #require(bytes.count == 256 << 20)
                try #require(bytes[0] == 1 && bytes[bytes.count - 1] == 1)
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
                let words = try #require(line).split(whereSeparator: \.isWhitespace)
                let kilobytes = try #require(Int(words[1]))
                try #require(kilobytes < 128 << 10)
            }
        }
    }
    #endif

    #if os(Linux)
    /// A limit of the process stands for a full disk.
    @Test func aStreamForWhichThereIsNoRoomFails() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let body = RequestBody.stream(Pieces(pieces: [Data(count: 300_000)]))
                func reason() async throws -> String {
                    let error = await #expect(throws: URLError.self) {
                        _ = try await URLSessionBody(body)
                    }
                    try #require(error?.code == .cannotCreateFile)
                    return error?.localizedDescription ?? ""
                }
                signal(SIGXFSZ, SIG_IGN)
                let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                var limit = rlimit(rlim_cur: 100_000, rlim_max: .max)
                try #require(setrlimit(resource, &limit) == 0)
                // What follows may write again, such as how often each line has run.
                defer {
                    limit.rlim_cur = .max
                    setrlimit(resource, &limit)
                }
                try #require(try await reason().contains("File too large"))
                setenv("TMPDIR", "/nonexistent", 1)
                try #require(try await reason().contains("No such file or directory"))
            }
        }
    }
    #endif

    // The middle of the writing, and after it.
    @Test(arguments: [true, false])
    func aProcessThatIsAskedToStopLeavesNoFile(whileWriting: Bool) async throws {
        let folder = try Folder()
        await inTurn {
            await #expect(processExitsWith: .signal(SIGTERM)) {
                [path = folder.url.path as String, whileWriting = whileWriting as Bool] in
                setenv("TMPDIR", path, 1)
                let pieces = Pieces(pieces: [Data("one".utf8), Data("two".utf8)])
                @Sendable func stop() async {
                    kill(getpid(), SIGTERM)
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
                let body = try await URLSessionBody(
                    .stream(
                        pieces.map { piece in
                            if whileWriting { await stop() }
                            return piece
                        }))
                await stop()
                _ = body.length
            }
        }
        #expect(folder.names == [])
    }

    @Test func aStreamThatFailsLeavesNoFile() async throws {
        let before = temporaryFiles
        let failing = Pieces(pieces: pieces.pieces, error: Failure())
        await #expect(throws: Failure.self) { _ = try await URLSessionBody(.stream(failing)) }
        #expect(temporaryFiles == before)
    }

    @Test func aStreamThatIsCancelledLeavesNoFile() async throws {
        let before = temporaryFiles
        let pieces = pieces
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await URLSessionBody(.stream(pieces))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(temporaryFiles == before)
    }

    @Test(arguments: [true, false])
    func aFileStaysTheCallers(takesFiles: Bool) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString)")
        try Data("abc".utf8).write(to: file)
        defer { unlink(file.path) }
        let body = try await URLSessionBody(.file(file), takesFiles: takesFiles)
        #expect(body.length == 3)
        #expect(body.file == (takesFiles ? file : nil))
        #expect(body.data == (takesFiles ? nil : Data("abc".utf8)))
        #expect(access(file.path, F_OK) == 0)
    }
}
