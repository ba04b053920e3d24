// SPDX-License-Identifier: MIT

internal import Foundation

/// The way of body bytes from a transport's thread to the one reader of a response.
///
/// The writer never waits: it is told when the pipe is full, pauses its transfer, and is called when
/// the reader has made room.
final class BodyPipe: ResponseBodySource {
    /// From here on the writer should pause: 256 KiB.
    static let highWater = 262_144

    private typealias Reader = CheckedContinuation<Data?, any Error>

    private struct State {
        var buffer = Data()
        var isFull = false
        var end: Result<HTTPMetrics, any Error>?
        var reader: Reader?
    }

    private let state = Locked(State())
    private let onRoom: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// Creates a pipe.
    ///
    /// - Parameters:
    ///   - onRoom: Called when a pipe that was full has been emptied.
    ///   - onCancel: Called when the reader wants no more, before the end.
    init(onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        self.onRoom = onRoom
        self.onCancel = onCancel
    }

    /// Adds bytes.
    ///
    /// - Returns: Whether the pipe is full now, so that the writer should pause.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return false }
        let (reader, isFull) = state.withLock { state in
            guard state.end == nil else { return (Reader?.none, false) }
            if let reader = exchange(&state.reader, nil) { return (reader, false) }
            state.buffer.append(contentsOf: bytes)
            state.isFull = state.buffer.count >= Self.highWater
            return (nil, state.isFull)
        }
        reader?.resume(returning: Data(bytes: address, count: bytes.count))
        return isFull
    }

    /// Ends the body.
    ///
    /// The first end counts.
    func end(_ result: Result<HTTPMetrics, any Error>) {
        let reader = state.withLock { state -> Reader? in
            guard state.end == nil else { return nil }
            state.end = result
            return exchange(&state.reader, nil)
        }
        reader?.resume(with: result.map { _ in nil })
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                read(continuation)
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let (reader, wasRunning) = state.withLock { state in
            let wasRunning = state.end == nil
            if wasRunning {
                state.end = .failure(CancellationError())
                state.buffer = Data()
            }
            return (exchange(&state.reader, nil), wasRunning)
        }
        reader?.resume(throwing: CancellationError())
        if wasRunning { onCancel() }
    }

    var metrics: HTTPMetrics? {
        state.withLock { $0.buffer.isEmpty ? try? $0.end?.get() : nil }
    }

    private func read(_ continuation: Reader) {
        let (result, hasRoom) = state.withLock { state -> (Result<Data?, any Error>?, Bool) in
            if !state.buffer.isEmpty {
                let data = exchange(&state.buffer, Data())
                return (.success(data), exchange(&state.isFull, false))
            }
            if let end = state.end { return (end.map { _ in nil }, false) }
            state.reader = continuation
            return (nil, false)
        }
        if hasRoom { onRoom() }
        if let result { continuation.resume(with: result) }
    }
}
