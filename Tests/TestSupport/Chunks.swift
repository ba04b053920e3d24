// SPDX-License-Identifier: MIT

public import Foundation

/// A body in the given pieces, which can be read any number of times.
public struct Chunks: AsyncSequence, Sendable {
    let chunks: [Data]
    /// Waited for before the last piece.
    var gate: Gate?
    /// Thrown after the last piece.
    var error: (any Error & Sendable)?
    /// Opened when nobody reads any more, for whatever reason.
    var ended: Gate?

    /// Creates a body of bytes.
    public init(
        _ chunks: [Data], gate: Gate? = nil, error: (any Error & Sendable)? = nil,
        ended: Gate? = nil
    ) {
        self.chunks = chunks
        self.gate = gate
        self.error = error
        self.ended = ended
    }

    /// Creates a body of texts.
    public init(_ texts: [String]) {
        self.init(texts.map { Data($0.utf8) })
    }

    /// Creates a body of texts.
    public init(_ texts: String...) {
        self.init(texts)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(chunks: self, end: End(ended)) }

    final class End {
        private let gate: Gate?

        init(_ gate: Gate?) {
            self.gate = gate
        }

        deinit {
            gate?.open()
        }
    }

    /// One pass over the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        let chunks: Chunks
        let end: End
        var next = 0

        public mutating func next() async throws -> Data? {
            if next == chunks.chunks.count - 1, let gate = chunks.gate {
                await gate.wait()
                try Task.checkCancellation()
            }
            guard next < chunks.chunks.count else {
                if let error = chunks.error { throw error }
                return nil
            }
            defer { next += 1 }
            return chunks.chunks[next]
        }
    }
}

/// Something that a test's own code throws.
public struct OwnError: Error, Equatable {
    /// Creates one.
    public init() {}
}
