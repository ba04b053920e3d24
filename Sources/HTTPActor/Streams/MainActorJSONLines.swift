// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

/// The values of JSON Lines, of a type that can only be decoded on the main actor.
public struct MainActorJSONLines<T: Decodable>: @MainActor AsyncSequence {
    public typealias Element = T

    fileprivate let lines: ResponseLines
    fileprivate let decoder: JSONDecoder

    @MainActor public func makeAsyncIterator() -> Iterator {
        Iterator(lines: lines.makeAsyncIterator(), decoder: decoder)
    }

    /// One pass over the values, the only one that gives any.
    public struct Iterator: @MainActor AsyncIteratorProtocol {
        fileprivate var lines: ResponseLines.Iterator
        fileprivate let decoder: JSONDecoder

        /// Returns the next value, nil after the last one.
        ///
        /// - Throws: `DecodingError`; what reading the lines throws.
        @MainActor public mutating func next() async throws -> T? {
            while let line = try await lines.next() {
                if line.allSatisfy(\.isWhitespace) { continue }
                return try decoder.decode(Data(line.utf8), status: nil, url: nil)
            }
            return nil
        }
    }
}

extension HTTPResponse {
    /// Decodes the body line by line on the main actor.
    ///
    /// Picked for a type whose conformance belongs to the main actor. Mark it `nonisolated` to decode it
    /// elsewhere.
    @_disfavoredOverload
    public func jsonLines<T: Decodable>(
        of type: T.Type, decoder: JSONDecoder = .httpDefault, upTo limit: Int = defaultPartLimit
    ) -> MainActorJSONLines<T> {
        MainActorJSONLines(lines: lines(upTo: limit), decoder: decoder)
    }
}
