// SPDX-License-Identifier: MIT

public import Foundation

/// What a request sends after its head.
///
/// Every kind can be read again from its start, so that a redirect or a retry sends it whole.
public enum RequestBody: Sendable {
    /// No body. A method that may carry content says `Content-Length: 0`.
    case empty
    /// Bytes in memory.
    case data(Data)
    /// A file on disk, read while it is sent. Missing, unreadable or a directory: a `URLError` that
    /// names it, before anything is sent.
    case file(URL)
    /// Bytes that are made while they are sent; see ``stream(_:length:)``.
    case stream(BodyStream)

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
                        saying: "The body gave \(given) bytes, where \(length) were announced.",
                        requestMayHaveArrived: true)
                }
                if let last { try await receive(last) }
            })
    }

    /// Whether no byte follows the head.
    public var isEmpty: Bool {
        switch self {
        case .empty: true
        case .data(let data): data.isEmpty
        case .file, .stream: false
        }
    }
}

/// A body that is made while it is sent, in a form that hides its type.
public struct BodyStream: Sendable {
    /// How many bytes it gives, nil when that is not known.
    public let length: Int64?
    /// Reads the body from its start, handing over one chunk after another.
    let read: @Sendable (_ receive: (Data) async throws -> Void) async throws -> Void
}

extension RequestBody {
    /// The body that a `URLRequest` carries.
    init(of urlRequest: URLRequest) {
        if let data = urlRequest.httpBody {
            self = .data(data)
        } else if let stream = urlRequest.httpBodyStream {
            self = .stream(BodyStream(readingOnce: stream))
        } else {
            self = .empty
        }
    }
}

extension BodyStream {
    /// An `InputStream`, which can be read once: a second pass is an error, never an empty body.
    fileprivate init(readingOnce stream: InputStream) {
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
