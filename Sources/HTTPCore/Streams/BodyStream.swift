// SPDX-License-Identifier: MIT

public import Foundation

/// A body that is made while it is sent, in a form that hides its type.
public struct BodyStream: Sendable {
    /// How many bytes it gives, nil when that is not known.
    public let length: Int64?
    /// Reads the body from its start, handing over one chunk after another.
    let read: @Sendable (_ receive: (Data) async throws -> Void) async throws -> Void
    /// Opens the body for a transport that reads on a thread of its own.
    var input: (@Sendable () -> InputStream)?
}

extension RequestBody {
    /// A body from an asynchronous sequence, which is iterated anew each time it is sent.
    ///
    /// - Parameters:
    ///   - chunks: A sequence that gives the same bytes each time. One that can't must throw when it is
    ///     iterated again.
    ///   - length: How many bytes it gives, which becomes `Content-Length`; a sequence that gives more
    ///     or fewer fails the request. Nil: the body is sent chunked (RFC 9112, section 7.1).
    /// - Returns: A body that streams.
    public static func stream<S: AsyncSequence & Sendable>(
        _ chunks: S, length: Int64? = nil
    ) -> RequestBody where S.Element == Data {
        .stream(BodyStream(chunks, length: length))
    }

    /// A body from an `InputStream`, which is made anew each time it is sent.
    ///
    /// ```swift
    /// endpoint.body = .stream(form.inputStream, length: form.contentLength)
    /// ```
    ///
    /// Quicker than a sequence where the length is known: libcurl then reads it on its own thread, so that
    /// a stream which waits for its bytes, as one over files does not, holds up other requests.
    ///
    /// - Parameters:
    ///   - input: Makes a stream that gives the same bytes each time, not opened yet.
    ///   - length: How many bytes it gives, as above.
    /// - Returns: A body that streams.
    public static func stream(
        _ input: @escaping @Sendable () -> InputStream, length: Int64? = nil
    ) -> RequestBody {
        var stream = BodyStream(InputChunks(input: input), length: length)
        // Of no bytes, libcurl asks for none, and would not see that there are some.
        if length ?? 0 > 0 { stream.input = input }
        return .stream(stream)
    }
}

extension BodyStream {
    init<S: AsyncSequence & Sendable>(_ chunks: S, length: Int64?) where S.Element == Data {
        self.init(length: length) { receive in
            var total: Int64 = 0
            // The chunk that makes the body whole waits until nothing follows it: once it is sent, the
            // server takes the request for complete.
            var last: Data?
            for try await chunk in chunks where !chunk.isEmpty {
                total += Int64(chunk.count)
                guard let length, total >= length else {
                    try await receive(chunk)
                    continue
                }
                if total > length { break }
                last = chunk
            }
            if let length, total != length { throw Self.fault(total, of: length) }
            if let last { try await receive(last) }
        }
    }

    /// An `InputStream`, which can be read once: a second pass is an error, never an empty body.
    init(readingOnce stream: InputStream) {
        let isRead = Locked(false)
        // Only the pass that turns `isRead` touches the stream.
        nonisolated(unsafe) let stream = stream
        let chunks = InputChunks {
            if isRead.withLock({ exchange(&$0, true) }) {
                throw URLError(
                    .requestBodyStreamExhausted,
                    saying: "The body was an InputStream, which can't be sent a second time.")
            }
            return stream
        }
        self.init(chunks, length: nil)
    }

    static func fault(_ given: Int64, of length: Int64) -> URLError {
        let given = given > length ? "more" : "\(given)"
        return URLError(
            .requestBodyStreamExhausted,
            saying: "The body gave \(given) bytes, where \(length) were announced.")
    }
}

/// What an `InputStream` gives, 64 KiB at a time.
private struct InputChunks: AsyncSequence, Sendable {
    let input: @Sendable () throws -> InputStream

    struct AsyncIterator: AsyncIteratorProtocol {
        let input: () throws -> InputStream
        var stream: InputStream?

        mutating func next() async throws -> Data? {
            let stream = try self.stream ?? input()
            if self.stream == nil { stream.open() }
            self.stream = stream
            var chunk = Data(count: 65_536)
            let count = try chunk.withUnsafeMutableBytes { try stream.fill($0) }
            if count == 0 { stream.close() }
            return count == 0 ? nil : chunk.prefix(count)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(input: input) }
}

extension InputStream {
    /// Reads what is there, at least one byte; 0 at the end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let bytes = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return 0 }
        let count = read(bytes, maxLength: buffer.count)
        if count < 0 { throw streamError ?? URLError(.cannotOpenFile) }
        return count
    }
}
