// SPDX-License-Identifier: MIT

public import Foundation

/// What a request sends after its head.
///
/// Every kind can be read again from its start, so that a redirect or a retry sends it whole. The one that
/// can't, a `URLRequest`'s `httpBodyStream`, makes a second pass an error.
public enum RequestBody: Sendable {
    /// No body. A method that may carry content says `Content-Length: 0`.
    case empty
    /// Bytes in memory.
    case data(Data)
    /// A file on disk, read while it is sent. Missing, unreadable or a directory: a `URLError` that
    /// names it, before anything is sent.
    case file(URL)
    /// Bytes that are made while they are sent; see `stream(_:length:)`.
    case stream(BodyStream)

    /// Whether no byte follows the head.
    public var isEmpty: Bool {
        switch self {
        case .empty: true
        case .data(let data): data.isEmpty
        case .file, .stream: false
        }
    }
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
