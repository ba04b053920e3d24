// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct AnswerPipeInternalTests {
    private struct Broken: Error {}

    private let rooms = Locked(0)
    private let cancels = Locked(0)

    private func pipe(collecting limit: Int? = nil) throws -> AnswerPipe {
        let (rooms, cancels) = (rooms, cancels)
        var options = HTTPRequest.Options()
        options.collect = limit
        options.uncollected = [302]
        options.attempt = 3
        return AnswerPipe(
            url: try #require(URL(string: "http://host/")), options: options,
            onRoom: { rooms.withLock { $0 += 1 } }, onDrop: { cancels.withLock { $0 += 1 } })
    }

    private func write(_ text: String, to pipe: AnswerPipe) throws -> Bool {
        try Array(text.utf8).withUnsafeBytes { try pipe.write($0) }
    }

    @Test func whatIsWrittenIsReadUntilTheEnd() async throws {
        let pipe = try pipe()
        #expect(try !write("ab", to: pipe))
        #expect(try !write("", to: pipe))
        #expect(try !write("c", to: pipe))
        pipe.end(.success(HTTPMetrics()))
        #expect(pipe.metrics == nil)
        #expect(try await pipe.next() == Data("abc".utf8))
        #expect(pipe.metrics != nil)
        #expect(try await pipe.next() == nil)
        #expect(try await pipe.next() == nil)
        #expect(rooms.withLock { $0 } == 0)
    }

    @Test func aReaderThatWaitsGetsTheBytes() async throws {
        let pipe = try pipe()
        async let first = pipe.next()
        async let written = Task.detached {
            defer { pipe.deliver() }
            return try write("ab", to: pipe)
        }.value
        #expect(try await first == Data("ab".utf8))
        #expect(try await !written)
    }

    @Test func aFullPipeSaysSoAndCallsWhenItIsEmpty() async throws {
        let pipe = try pipe()
        let half = String(repeating: "a", count: AnswerPipe.highWater / 2)
        #expect(try !write(half, to: pipe))
        #expect(try write(half, to: pipe))
        #expect(try write("a", to: pipe))
        #expect(pipe.isFull)
        #expect(rooms.withLock { $0 } == 0)
        #expect(try await pipe.next()?.count == AnswerPipe.highWater + 1)
        #expect(!pipe.isFull)
        #expect(rooms.withLock { $0 } == 1)
    }

    @Test func aFullPipeThatNobodyWantsIsFullNoMore() throws {
        let pipe = try pipe()
        #expect(try write(String(repeating: "a", count: AnswerPipe.highWater), to: pipe))
        pipe.cancel()
        #expect(!pipe.isFull)
    }

    // O-21: what came is handed out before the error.
    @Test func anErrorComesAfterTheBytes() async throws {
        let pipe = try pipe()
        _ = try write("ab", to: pipe)
        pipe.end(.failure(Broken()))
        pipe.end(.success(HTTPMetrics()))
        #expect(try await pipe.next() == Data("ab".utf8))
        await #expect(throws: Broken.self) { try await pipe.next() }
        #expect(pipe.metrics == nil)
    }

    @Test func cancellingDropsTheBytesAndTellsTheWriterOnce() async throws {
        let pipe = try pipe()
        _ = try write("ab", to: pipe)
        pipe.cancel()
        pipe.cancel()
        #expect(try !write("c", to: pipe))
        await #expect(throws: CancellationError.self) { try await pipe.next() }
        #expect(cancels.withLock { $0 } == 1)
    }

    @Test func cancellingAfterTheEndIsNothing() async throws {
        let pipe = try pipe()
        pipe.end(.success(HTTPMetrics()))
        pipe.cancel()
        #expect(try await pipe.next() == nil)
        #expect(cancels.withLock { $0 } == 0)
    }

    @Test func aCancelledTaskEndsItsWait() async throws {
        let pipe = try pipe()
        let task = Task { try await pipe.next() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cancels.withLock { $0 } == 1)
    }

    @Test func theHeadComesBeforeTheBody() async throws {
        let pipe = try pipe()
        let response = try await pipe.answer { pipe.head(404, ["A": "b"]) }
        #expect(response.status == 404)
        #expect(response.headers == ["A": "b"])
        _ = try write("ab", to: pipe)
        pipe.end(.success(HTTPMetrics()))
        #expect(try await response.data() == Data("ab".utf8))
    }

    @Test func aCollectedBodyComesWithTheHead() async throws {
        let pipe = try pipe(collecting: 3)
        let response = try await pipe.answer {
            pipe.head(200, [:])
            _ = try? write("ab", to: pipe)
            _ = try? write("c", to: pipe)
            pipe.end(.success(HTTPMetrics()))
        }
        #expect(response.metrics != nil)
        #expect(try await response.data() == Data("abc".utf8))
    }

    @Test func aStatusThatALayerMaySwallowStreams() async throws {
        let pipe = try pipe(collecting: 3)
        let response = try await pipe.answer { pipe.head(302, [:]) }
        #expect(response.body.whole == nil)
        _ = try write("abcdef", to: pipe)
        pipe.end(.success(HTTPMetrics()))
        #expect(try await response.data() == Data("abcdef".utf8))
    }

    @Test func metricsKnowTheAttempt() async throws {
        let pipe = try pipe()
        pipe.end(.success(HTTPMetrics()))
        #expect(pipe.metrics?.attempts == 3)
    }

    @Test func whatIsMoreThanIsCollectedIsRefused() throws {
        let pipe = try pipe(collecting: 3)
        pipe.head(502, [:])
        #expect(try !write("abc", to: pipe))
        let error = #expect(throws: ResponseBodyError.self) { try write("d", to: pipe) }
        #expect(error?.kind == .tooLarge(limit: 3))
        #expect(error?.status == 502)
    }

    @Test func anEndWithoutAHeadIsTheServersFault() async throws {
        let pipe = try pipe()
        let error = await #expect(throws: URLError.self) {
            _ = try await pipe.answer { pipe.end(.success(HTTPMetrics())) }
        }
        #expect(error?.code == .badServerResponse)
    }

    // O-44
    @Test func whatIsCancelledBeforeDoesNotStart() async throws {
        let pipe = try pipe()
        pipe.cancel()
        await #expect(throws: CancellationError.self) {
            _ = try await pipe.answer { Issue.record("started") }
        }
    }

    @Test func droppingTheResponseEndsTheTransfer() async throws {
        let pipe = try pipe()
        var response: HTTPResponse? = try await pipe.answer { pipe.head(200, [:]) }
        #expect(response?.status == 200)
        #expect(cancels.withLock { $0 } == 0)
        response = nil
        #expect(cancels.withLock { $0 } == 1)
    }
}
