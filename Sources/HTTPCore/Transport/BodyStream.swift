// SPDX-License-Identifier: MIT

public import Foundation

/// A body that is made while it is sent, in a form that hides its type.
public struct BodyStream: Sendable {
    typealias Reading = @Sendable (_ receive: (Data) async throws -> Void) async throws -> Void

    /// How many bytes it gives, nil when that is not known.
    public let length: Int64?
    /// Reads the body from its start, handing over one chunk after another.
    let read: Reading
    /// Opens the body, for a transport that says first whether that fails, and reads on a thread of its own
    /// where the length is known.
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
        .stream(
            BodyStream(length: length) { receive in
                for try await chunk in chunks { try await receive(chunk) }
            })
    }

    /// A body from an `InputStream`, which is made anew each time it is sent.
    ///
    /// ```swift
    /// endpoint.body = .stream(form.inputStream, length: form.contentLength)
    /// ```
    ///
    /// One that fails to open, as that of a form whose file is missing, ends the request before anything is
    /// sent. Quicker than a sequence where the length is known: libcurl then reads it on its own thread, so
    /// that a stream which waits for its bytes, as one over files does not, holds up other requests.
    ///
    /// - Parameters:
    ///   - input: Makes a stream that gives the same bytes each time, not opened yet.
    ///   - length: How many bytes it gives, as above.
    /// - Returns: A body that streams.
    public static func stream(
        _ input: @escaping @Sendable () -> InputStream, length: Int64? = nil
    ) -> RequestBody {
        var stream = BodyStream(length: length, opening: input)
        // Of no bytes, libcurl asks for none, and would not see that there are some.
        if length != 0 { stream.input = input }
        return .stream(stream)
    }
}

extension BodyStream {
    /// A body that a closure gives, chunk by chunk, anew each time.
    fileprivate init(length: Int64?, chunks: @escaping Reading) {
        self.length = length
        read = { receive in
            var total: Int64 = 0
            // The chunk that makes the body whole waits until nothing follows it: once it is sent, the
            // server takes the request for complete.
            var last: Data?
            try await chunks { chunk in
                total += Int64(chunk.count)
                if let length, total > length { throw Self.fault(total, of: length) }
                if chunk.isEmpty { return }
                if total == length { last = chunk } else { try await receive(chunk) }
            }
            if let length, total != length { throw Self.fault(total, of: length) }
            if let last { try await receive(last) }
        }
    }

    fileprivate init(length: Int64?, opening input: @escaping @Sendable () throws -> InputStream) {
        self.init(length: length) { receive in
            let stream = try input()
            if stream.streamStatus == .notOpen { stream.open() }
            defer { stream.close() }
            while true {
                var chunk = Data(count: 65_536)
                chunk.count = try chunk.withUnsafeMutableBytes { try stream.fill($0) }
                if chunk.isEmpty { return }
                try await receive(chunk)
            }
        }
    }

    /// An `InputStream`, which can be read once: a second pass is an error, never an empty body.
    init(readingOnce stream: InputStream) {
        let isRead = Locked(false)
        // Only the pass that turns `isRead` touches the stream.
        nonisolated(unsafe) let stream = stream
        self.init(length: nil) {
            if isRead.withLock({ exchange(&$0, true) }) {
                throw URLError(
                    .requestBodyStreamExhausted,
                    saying: "The body was an InputStream, which can't be sent a second time.")
            }
            return stream
        }
    }

    static func fault(_ given: Int64, of length: Int64) -> URLError {
        let given = given > length ? "more" : "\(given)"
        return URLError(
            .requestBodyStreamExhausted,
            saying: "The body gave \(given) bytes, where \(length) were announced.")
    }
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
