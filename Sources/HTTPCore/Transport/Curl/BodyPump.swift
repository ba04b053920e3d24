// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import Foundation
internal import FoundationNetworking

/// Reads an asynchronous body one chunk ahead of libcurl, which takes the bytes on its own thread.
final class BodyPump: Sendable {
    private typealias Writer = CheckedContinuation<Void, any Error>

    private struct State {
        var chunk = Data()
        var end: Result<Void, any Error>?
        /// Whether libcurl was told to wait.
        var isAwaited = false
        /// The task that waits for its chunk to be taken.
        var writer: Writer?
        var task: Task<Void, Never>?
        /// Counts the starts, so that the task of an earlier one can't write.
        var generation = 0
    }

    private let state = Locked(State())
    private let stream: BodyStream
    private let onBytes: @Sendable () -> Void

    init(_ stream: BodyStream, onBytes: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.onBytes = onBytes
    }

    /// Fills a buffer. The first call starts the reading.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> CurlUpload.Piece {
        let (piece, writer) = state.withLock { state -> (CurlUpload.Piece, Writer?) in
            if state.task == nil, state.end == nil { start(&state) }
            if !state.chunk.isEmpty {
                let count = state.chunk.copyBytes(to: buffer)
                state.chunk.removeFirst(count)
                let writer = state.chunk.isEmpty ? exchange(&state.writer, nil) : nil
                return (.bytes(count), writer)
            }
            switch state.end {
            case nil:
                state.isAwaited = true
                return (.wait, nil)
            case .success: return (.bytes(0), nil)
            case .failure(let error): return (.failed(error), nil)
            }
        }
        writer?.resume()
        return piece
    }

    /// Starts over from the body's beginning.
    func restart() {
        stop { state in state.end = nil }
    }

    /// Ends the reading, whatever it waits for.
    func cancel() {
        stop { state in state.end = .failure(CancellationError()) }
    }

    private func stop(_ change: (inout State) -> Void) {
        let (task, writer) = state.withLock { state in
            state.generation += 1
            state.chunk = Data()
            state.isAwaited = false
            change(&state)
            return (exchange(&state.task, nil), exchange(&state.writer, nil))
        }
        writer?.resume(throwing: CancellationError())
        task?.cancel()
    }

    private func start(_ state: inout State) {
        let generation = state.generation
        state.task = Task { [self] in
            do {
                try await pump(generation)
                finish(.success(()), generation)
            } catch {
                finish(.failure(error), generation)
            }
        }
    }

    /// Hands on every chunk. The last one of a body whose length is known waits until the body has said
    /// that nothing follows: past it, libcurl takes the request for whole.
    private func pump(_ generation: Int) async throws {
        var total: Int64 = 0
        var last: Data?
        try await stream.read { chunk in
            if chunk.isEmpty { return }
            total += Int64(chunk.count)
            if let length = stream.length, total >= length {
                guard total == length else { throw wrongLength(total, length) }
                last = chunk
            } else {
                try await give(chunk, generation)
            }
        }
        if let length = stream.length, total != length { throw wrongLength(total, length) }
        if let last { try await give(last, generation) }
    }

    private func wrongLength(_ total: Int64, _ length: Int64) -> URLError {
        URLError(
            .requestBodyStreamExhausted,
            saying: "The body gave \(total) bytes, where \(length) were announced.",
            requestMayHaveArrived: true)
    }

    /// Offers a chunk and returns when it has been taken.
    private func give(_ chunk: Data, _ generation: Int) async throws {
        try await withCheckedThrowingContinuation { writer in
            let isAwaited = state.withLock { state -> Bool? in
                guard state.generation == generation else { return nil }
                state.chunk = chunk
                state.writer = writer
                return exchange(&state.isAwaited, false)
            }
            switch isAwaited {
            case nil: writer.resume(throwing: CancellationError())
            case true?: onBytes()
            case false?: break
            }
        }
    }

    private func finish(_ end: Result<Void, any Error>, _ generation: Int) {
        let isAwaited = state.withLock { state in
            guard state.generation == generation else { return false }
            state.end = end
            return exchange(&state.isAwaited, false)
        }
        if isAwaited { onBytes() }
    }
}
#endif
