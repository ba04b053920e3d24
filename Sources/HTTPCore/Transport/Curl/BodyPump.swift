// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import Foundation

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
    }

    private let state = Locked(State())
    private let onBytes: @Sendable () -> Void

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - stream: What to read.
    ///   - onBytes: Called when there is something to take after ``take(into:)`` said to wait.
    init(_ stream: BodyStream, onBytes: @escaping @Sendable () -> Void) {
        self.onBytes = onBytes
        let task = Task { [self] in
            do {
                try await stream.read { try await give($0) }
                end(.success(()))
            } catch {
                end(.failure(error))
            }
        }
        state.withLock { $0.task = task }
    }

    /// Fills a buffer; nil when there is nothing yet.
    func take(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, writer) = try state.withLock { state -> (Int?, Writer?) in
            if !state.chunk.isEmpty {
                let count = state.chunk.copyBytes(to: buffer)
                state.chunk.removeFirst(count)
                return (count, state.chunk.isEmpty ? exchange(&state.writer, nil) : nil)
            }
            state.isAwaited = state.end == nil
            return (try state.end?.get() == nil ? nil : 0, nil)
        }
        writer?.resume()
        return count
    }

    /// Ends the reading, whatever it waits for.
    func cancel() {
        let (task, writer) = state.withLock { state in
            state.end = .failure(CancellationError())
            state.isAwaited = false
            return (state.task, exchange(&state.writer, nil))
        }
        writer?.resume(throwing: CancellationError())
        task?.cancel()
    }

    /// Offers a chunk and returns when it has been taken.
    private func give(_ chunk: Data) async throws {
        try await withCheckedThrowingContinuation { writer in
            let (isOver, isAwaited) = state.withLock { state in
                guard state.end == nil else { return (true, false) }
                state.chunk = chunk
                state.writer = writer
                return (false, exchange(&state.isAwaited, false))
            }
            if isOver { writer.resume(throwing: CancellationError()) }
            if isAwaited { onBytes() }
        }
    }

    private func end(_ end: Result<Void, any Error>) {
        let isAwaited = state.withLock { state in
            state.end = state.end ?? end
            return exchange(&state.isAwaited, false)
        }
        if isAwaited { onBytes() }
    }
}
#endif
