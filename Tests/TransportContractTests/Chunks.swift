// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A body in the given pieces, which can be read any number of times.
struct Chunks: AsyncSequence, Sendable {
    let chunks: [Data]
    /// Waited for before the last piece.
    var gate: Gate?
    /// Thrown after the last piece.
    var error: (any Error & Sendable)?
    /// Opened when nobody reads any more, for whatever reason.
    var ended: Gate?

    init(
        _ chunks: [Data], gate: Gate? = nil, error: (any Error & Sendable)? = nil,
        ended: Gate? = nil
    ) {
        self.chunks = chunks
        self.gate = gate
        self.error = error
        self.ended = ended
    }

    init(_ texts: [String]) {
        self.init(texts.map { Data($0.utf8) })
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self, end: End(ended)) }

    final class End {
        private let gate: Gate?

        init(_ gate: Gate?) {
            self.gate = gate
        }

        deinit {
            gate?.open()
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: Chunks
        let end: End
        var next = 0

        mutating func next() async throws -> Data? {
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

/// Bytes that differ from place to place, so that a gap or a repeat shows.
func pattern(_ count: Int) -> Data {
    // A prime length, which no buffer has; repeated, since a loop over each byte takes seconds.
    let block = Data((0..<8_191).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) })
    var data = Data(capacity: count + block.count)
    while data.count < count { data.append(block) }
    return Data(data.prefix(count))
}

/// Something that a test's own code throws.
struct OwnError: Error, Equatable {}
