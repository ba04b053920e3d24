// SPDX-License-Identifier: MIT

public import Foundation

/// A body that is made while it is sent, in a form that hides its type.
public struct BodyStream: Sendable {
    /// How many bytes it gives, nil when that is not known.
    public let length: Int64?
    /// Reads the body from its start, handing over one chunk after another.
    let read: @Sendable (_ receive: (Data) async throws -> Void) async throws -> Void
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
                if let length, total != length {
                    let given = total > length ? "more" : "\(total)"
                    throw URLError(
                        .requestBodyStreamExhausted,
                        saying: "The body gave \(given) bytes, where \(length) were announced.")
                }
                if let last { try await receive(last) }
            })
    }
}

extension BodyStream {
    /// An `InputStream`, which can be read once: a second pass is an error, never an empty body.
    init(readingOnce stream: InputStream) {
        let isRead = Locked(false)
        // Only the pass that turns `isRead` touches the stream.
        nonisolated(unsafe) let stream = stream
        self.init(length: nil) { receive in
            if isRead.withLock({ exchange(&$0, true) }) {
                throw URLError(
                    .requestBodyStreamExhausted,
                    saying: "The body was an InputStream, which can't be sent a second time.")
            }
            stream.open()
            defer { stream.close() }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = stream.read(&buffer, maxLength: buffer.count)
                if count < 0 { throw stream.streamError ?? URLError(.cannotOpenFile) }
                if count == 0 { return }
                try await receive(Data(buffer[..<count]))
            }
        }
    }
}
