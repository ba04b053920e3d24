// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

/// A body for URLSession, with temporary files as on Apple's platforms and without as on Linux.
// One at a time: these count what is in the temporary directory.
@Suite(.serialized, .timeLimit(.minutes(1)))
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

    @Test func aStreamBecomesAFileThatItsOwnerAloneCanRead() async throws {
        let before = temporaryFiles
        let body = try await URLSessionBody(.stream(pieces), takesFiles: true)
        let file = try #require(body.file)
        #expect(body.data == nil)
        #expect(body.length == 6)
        #expect(try Data(contentsOf: file) == Data("onetwo".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        body.removeFile()
        #expect(temporaryFiles == before)
    }

    @Test func aStreamThatFailsLeavesNoFile() async throws {
        let before = temporaryFiles
        let failing = Pieces(pieces: pieces.pieces, error: Failure())
        for takesFiles in [true, false] {
            await #expect(throws: Failure.self) {
                _ = try await URLSessionBody(.stream(failing), takesFiles: takesFiles)
            }
        }
        #expect(temporaryFiles == before)
    }

    @Test func aStreamThatIsCancelledLeavesNoFile() async throws {
        let before = temporaryFiles
        let pieces = pieces
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await URLSessionBody(.stream(pieces), takesFiles: true)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(temporaryFiles == before)
    }

    @Test func aStreamIsReadIntoMemoryWhereNoFileCanBeSent() async throws {
        let body = try await URLSessionBody(.stream(pieces), takesFiles: false)
        #expect(body.data == Data("onetwo".utf8))
        #expect(body.file == nil)
        #expect(body.length == 6)
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
        body.removeFile()
        #expect(access(file.path, F_OK) == 0)
    }
}
