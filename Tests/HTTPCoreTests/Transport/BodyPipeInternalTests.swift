// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct BodyPipeInternalTests {
    private struct Broken: Error {}

    private let rooms = Locked(0)
    private let cancels = Locked(0)

    private func pipe() -> BodyPipe {
        let (rooms, cancels) = (rooms, cancels)
        return BodyPipe(
            onRoom: { rooms.withLock { $0 += 1 } },
            onCancel: { cancels.withLock { $0 += 1 } }
        )
    }

    private func write(_ text: String, to pipe: BodyPipe) -> Bool {
        Array(text.utf8).withUnsafeBytes { pipe.write($0) }
    }

    @Test func whatIsWrittenIsReadUntilTheEnd() async throws {
        let pipe = pipe()
        #expect(!write("ab", to: pipe))
        #expect(!write("", to: pipe))
        #expect(!write("c", to: pipe))
        pipe.end(.success(HTTPMetrics()))
        #expect(pipe.metrics == nil)
        #expect(try await pipe.next() == Data("abc".utf8))
        #expect(pipe.metrics != nil)
        #expect(try await pipe.next() == nil)
        #expect(try await pipe.next() == nil)
        #expect(rooms.withLock { $0 } == 0)
    }

    @Test func aReaderThatWaitsGetsTheBytes() async throws {
        let pipe = pipe()
        async let first = pipe.next()
        async let written = Task.detached { write("ab", to: pipe) }.value
        #expect(try await first == Data("ab".utf8))
        #expect(await !written)
    }

    @Test func aFullPipeSaysSoAndCallsWhenItIsEmpty() async throws {
        let pipe = pipe()
        let half = String(repeating: "a", count: BodyPipe.highWater / 2)
        #expect(!write(half, to: pipe))
        #expect(write(half, to: pipe))
        #expect(write("a", to: pipe))
        #expect(rooms.withLock { $0 } == 0)
        #expect(try await pipe.next()?.count == BodyPipe.highWater + 1)
        #expect(rooms.withLock { $0 } == 1)
    }

    // O-21: what came is handed out before the error.
    @Test func anErrorComesAfterTheBytes() async throws {
        let pipe = pipe()
        _ = write("ab", to: pipe)
        pipe.end(.failure(Broken()))
        pipe.end(.success(HTTPMetrics()))
        #expect(try await pipe.next() == Data("ab".utf8))
        await #expect(throws: Broken.self) { try await pipe.next() }
        #expect(pipe.metrics == nil)
    }

    @Test func cancellingDropsTheBytesAndTellsTheWriterOnce() async {
        let pipe = pipe()
        _ = write("ab", to: pipe)
        pipe.cancel()
        pipe.cancel()
        #expect(!write("c", to: pipe))
        await #expect(throws: CancellationError.self) { try await pipe.next() }
        #expect(cancels.withLock { $0 } == 1)
    }

    @Test func cancellingAfterTheEndIsNothing() async throws {
        let pipe = pipe()
        pipe.end(.success(HTTPMetrics()))
        pipe.cancel()
        #expect(try await pipe.next() == nil)
        #expect(cancels.withLock { $0 } == 0)
    }

    @Test func aCancelledTaskEndsItsWait() async {
        let pipe = pipe()
        let task = Task { try await pipe.next() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cancels.withLock { $0 } == 1)
    }
}
