// SPDX-License-Identifier: MIT

internal import Foundation

/// The way of one answer from a transport's thread to its caller: the head to the task that awaits
/// `send`, the body to the one reader of the response, exactly one result to each.
///
/// The transport never waits: it is told when the pipe is full, pauses, and is called when the reader
/// has made room. With a limit, the body is collected here and comes with the head.
final class AnswerPipe: Sendable {
    /// From here on a transport should pause: 256 KiB.
    static let highWater = 262_144

    private typealias Waiter = CheckedContinuation<HTTPResponse, any Error>
    private typealias Reader = CheckedContinuation<Data?, any Error>

    private struct State {
        var head: (status: Int, headers: HTTPFields)?
        /// The most bytes to collect; nil: the body streams.
        var limit: Int?
        var buffer = Data()
        var isFull = false
        var end: Result<HTTPMetrics, any Error>?
        var waiter: Waiter?
        var reader: Reader?
        /// Let go at the end, with the transfer that they may hold.
        var onRoom: (@Sendable () -> Void)?
        var onDrop: (@Sendable () -> Void)?
    }

    private let state: Locked<State>
    private let url: URL
    private let options: HTTPRequest.Options

    /// Creates a pipe.
    ///
    /// - Parameters:
    ///   - url: The URL that answers.
    ///   - options: The request's: what is collected, and which attempt it is.
    ///   - onRoom: Called when a pipe that was full has been emptied.
    ///   - onDrop: Called when nobody wants the answer any more, before its end.
    init(
        url: URL, options: HTTPRequest.Options, onRoom: @escaping @Sendable () -> Void = {},
        onDrop: @escaping @Sendable () -> Void
    ) {
        self.url = url
        self.options = options
        state = Locked(State(limit: options.collect, onRoom: onRoom, onDrop: onDrop))
    }

    // MARK: For the caller

    /// Starts the transfer, unless the task is cancelled already, and returns its answer.
    func answer(startingWith start: () -> Void) async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isOver = state.withLock { state in
                    if state.end == nil { state.waiter = waiter }
                    return state.end != nil
                }
                if isOver { waiter.resume(throwing: CancellationError()) } else { start() }
            }
        } onCancel: {
            cancel()
        }
    }

    @Sendable func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { read($0) }
        } onCancel: {
            cancel()
        }
    }

    @Sendable func cancel() {
        end(.failure(CancellationError()), isDropped: true)
    }

    var metrics: HTTPMetrics? {
        state.withLock { $0.buffer.isEmpty ? try? $0.end?.get() : nil }
    }

    private func read(_ reader: Reader) {
        typealias Ready = Result<Data?, any Error>
        let (ready, onRoom) = state.withLock { state -> (Ready?, (@Sendable () -> Void)?) in
            guard state.buffer.isEmpty else {
                let bytes = exchange(&state.buffer, Data())
                return (.success(bytes), exchange(&state.isFull, false) ? state.onRoom : nil)
            }
            if state.end == nil { state.reader = reader }
            return (state.end?.map { _ in nil }, nil)
        }
        onRoom?()
        if let ready { reader.resume(with: ready) }
    }

    // MARK: For the transport

    /// Whether nobody waits for anything any more.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Whether the reader is still behind.
    var isFull: Bool { state.withLock { $0.isFull && $0.end == nil } }

    /// Gives the head, which `send` returns unless the body is collected.
    func head(_ status: Int, _ headers: HTTPFields) {
        let waiter = state.withLock { state in
            state.head = (status, headers)
            state.limit = options.limit(for: status)
            return state.limit == nil ? exchange(&state.waiter, nil) : nil
        }
        guard let waiter else { return }
        let body = ResponseBody(next: next, metrics: { self.metrics }, cancel: cancel)
        waiter.resume(
            returning: HTTPResponse(status: status, headers: headers, url: url, body: body))
    }

    /// Adds bytes of the body, which a reader gets by ``deliver()``.
    ///
    /// - Returns: Whether the pipe is full now, so that the transport should pause.
    /// - Throws: ``ResponseBodyError`` when they are more than is collected.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ResponseBodyError) -> Bool {
        let (excess, isFull) = state.withLock { state -> (ResponseBodyError?, Bool) in
            guard state.end == nil else { return (nil, false) }
            if let limit = state.limit, bytes.count > limit - state.buffer.count {
                return (.init(.tooLarge(limit: limit), status: state.head?.status, url: url), false)
            }
            state.buffer.append(contentsOf: bytes)
            state.isFull = state.limit == nil && state.buffer.count >= Self.highWater
            return (nil, state.isFull)
        }
        if let excess { throw excess }
        return isFull
    }

    /// Gives a reader that waits what was written: one wakes up for many pieces, not for each.
    func deliver() {
        let reader = state.withLock { $0.buffer.isEmpty ? nil : exchange(&$0.reader, nil) }
        if let reader { read(reader) }
    }

    /// Ends the answer, of which everything was delivered; the first end counts.
    func end(_ result: Result<HTTPMetrics, any Error>, isDropped: Bool = false) {
        var result = result
        if case .success(var metrics) = result {
            metrics.attempts = options.attempt
            result = .success(metrics)
        }
        let old = state.withLock { state in
            guard state.end == nil else { return State() }
            let old = state
            state.end = result
            (state.waiter, state.reader, state.onRoom, state.onDrop) = (nil, nil, nil, nil)
            if isDropped { state.buffer = Data() }
            return old
        }
        old.reader?.resume(with: result.map { _ in nil })
        old.waiter?.resume(
            with: result.flatMap { metrics in
                guard let (status, headers) = old.head else {
                    return .failure(URLError(.badServerResponse, saying: "The answer has no head."))
                }
                let body = ResponseBody(old.buffer, metrics: metrics)
                return .success(
                    HTTPResponse(status: status, headers: headers, url: url, body: body))
            })
        if isDropped { old.onDrop?() }
    }
}
