// SPDX-License-Identifier: MIT

public import Foundation

/// The lines of an answer's body, as they come.
public struct ResponseLines: AsyncSequence, Sendable {
    public typealias Element = String

    let body: ResponseBody
    let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: body.makeAsyncIterator(), splitter: LineSplitter(limit: limit))
    }

    /// One pass over the lines, the only one that gives any.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var bytes: ResponseBody.Iterator
        fileprivate var splitter: LineSplitter

        /// Returns the next line without its end, nil after the last one.
        ///
        /// - Throws: ``ResponseBodyError`` of kind `partTooLarge`; what the body throws.
        public mutating func next() async throws -> String? {
            while true {
                if let line = try splitter.next() { return line }
                guard let chunk = try await bytes.next() else { return splitter.rest() }
                splitter.add(chunk)
            }
        }
    }
}

extension HTTPResponse {
    /// The most bytes of a line or an event unless told otherwise: 16 MiB.
    public static let defaultPartLimit = 16 << 20

    /// The lines of the body, as they come; see `lines(upTo:)`.
    public var lines: ResponseLines { lines() }

    /// Reads the body line by line.
    ///
    /// ```swift
    /// for try await line in response.lines {
    ///     print(line)
    /// }
    /// ```
    ///
    /// A line ends in LF, CRLF or CR, and is given without its end as soon as that is there. An empty line
    /// counts, and so does a last one without an end. The text is read as UTF-8: a byte order mark at the
    /// start is left out, what is no UTF-8 becomes U+FFFD.
    ///
    /// - Parameter limit: The most bytes of a line; a longer one is a ``ResponseBodyError`` of kind
    ///   `partTooLarge`.
    /// - Returns: The lines, which can be read once.
    public func lines(upTo limit: Int = defaultPartLimit) -> ResponseLines {
        ResponseLines(body: body, limit: limit)
    }

    /// Decodes the body line by line: JSON Lines, also called NDJSON.
    ///
    /// ```swift
    /// for try await message in response.jsonLines(of: Message.self) {
    ///     print(message.text)
    /// }
    /// ```
    ///
    /// A blank line is skipped, and what is no UTF-8 becomes U+FFFD, as for `lines(upTo:)`.
    ///
    /// A type whose conformance belongs to the main actor is refused: mark it
    /// `nonisolated`.
    ///
    /// - Parameters:
    ///   - type: What a line holds.
    ///   - decoder: By default one that knows ISO 8601 dates.
    ///   - limit: The most bytes of a line, as for `lines(upTo:)`.
    /// - Returns: The values, which can be read once. A line that does not decode is a `DecodingError` that
    ///   says where, as of any other body, and ends them.
    public func jsonLines<T: Decodable & SendableMetatype>(
        of type: T.Type, decoder: JSONDecoder = .httpDefault, upTo limit: Int = defaultPartLimit
    ) -> AsyncThrowingCompactMapSequence<ResponseLines, T> {
        lines(upTo: limit).compactMap { [status, url] line in
            if line.allSatisfy(\.isWhitespace) { return nil }
            return try decoder.decode(Data(line.utf8), status: status, url: url)
        }
    }
}
