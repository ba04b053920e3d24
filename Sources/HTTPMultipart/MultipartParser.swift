// SPDX-License-Identifier: MIT

public import Foundation

/// Reads a `multipart/form-data` body as it comes in, without I/O and without waiting.
///
/// Push bytes as they arrive, split anywhere; heads and contents of parts come out.
///
/// ```swift
/// var parser = try MultipartParser(contentType: contentType)
/// for chunk in chunks {
///     for event in try parser.push(chunk) {
///         switch event {
///         case .head(let head): print(head.name)
///         case .content(let data): save(data)
///         case .end: break
///         }
///     }
/// }
/// try parser.finish()
/// ```
///
/// Lines end in CRLF, as RFC 2046 section 5.1.1 has it; a preamble, an epilogue and blanks after a
/// boundary are read over. Memory stays below one push and the largest header.
public struct MultipartParser: Sendable {
    /// What was found in a body.
    public enum Event: Hashable, Sendable {
        /// A part begins.
        case head(MultipartPart.Head)
        /// More of the part's content, never empty.
        case content(Data)
        /// The part is complete.
        case end
    }

    private enum State {
        /// Before the first delimiter, whose CRLF may be the start of the body.
        case preamble
        /// After a delimiter line, whose CRLF is kept in front: a header may be empty.
        case head
        /// In a part, and how many bytes in front are not its content.
        case content(skipping: Int)
        /// After the closing delimiter.
        case epilogue
        /// After a fault, which every later call repeats.
        case failed(MultipartError)
    }

    private let maximumHeaderBytes: Int
    private let maximumParts: Int
    private let delimiter: ByteSearch
    private let blankLine = ByteSearch(Array("\r\n\r\n".utf8))
    private var state = State.preamble
    private var buffer: [UInt8] = [0x0D, 0x0A]
    /// The first byte of the buffer that was not given out.
    private var position = 0
    private var events: [Event] = []
    private var parts = 0

    /// Creates a parser for the boundary that a `Content-Type` names.
    ///
    /// - Parameters:
    ///   - contentType: The value of the header field.
    ///   - maximumHeaderBytes: The most bytes in one part's header.
    ///   - maximumParts: The most parts.
    /// - Throws: ``MultipartError`` with the kind `malformed` when it is not `multipart/form-data`
    ///   with a boundary that RFC 2046 section 5.1.1 allows.
    public init(
        contentType: String,
        maximumHeaderBytes: Int = 16_384,
        maximumParts: Int = 1_000
    ) throws(MultipartError) {
        guard let header = HeaderParameters(Array(contentType.utf8)[...]),
            header.value == "multipart/form-data",
            let boundary = header.parameters["boundary"],
            Boundary.isLegal(boundary.utf8)
        else { throw MultipartError(.malformed, "no form with a legal boundary: \(contentType)") }
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumParts = maximumParts
        self.delimiter = ByteSearch(Array("\r\n--\(boundary)".utf8))
    }

    /// Whether the closing delimiter has come; what follows it is ignored.
    public var isComplete: Bool {
        if case .epilogue = state { true } else { false }
    }

    /// Reads on.
    ///
    /// - Parameter bytes: The next bytes of the body, any number of them.
    /// - Returns: What these bytes completed, in order.
    /// - Throws: ``MultipartError`` with the kind `malformed` or `limit`, and again on every later
    ///   call.
    public mutating func push(_ bytes: Data) throws(MultipartError) -> [Event] {
        defer { events = [] }
        buffer.append(contentsOf: bytes)
        do throws(MultipartError) {
            while try step() {}
        } catch {
            state = .failed(error)
            buffer = []
            throw error
        }
        buffer.removeFirst(position)
        position = 0
        return events
    }

    /// Says that no more bytes come.
    ///
    /// - Throws: ``MultipartError`` with the kind `truncated` when the closing delimiter has not
    ///   come, or the error that ``push(_:)`` has thrown.
    public func finish() throws(MultipartError) {
        if case .failed(let error) = state { throw error }
        guard isComplete else {
            throw MultipartError(.truncated, "the body ends before its closing delimiter")
        }
    }

    /// Reads one thing at the position and says whether there may be another.
    private mutating func step() throws(MultipartError) -> Bool {
        switch state {
        case .preamble, .content:
            return try readContent()
        case .head:
            return try readHead()
        case .epilogue:
            position = buffer.count
            return false
        case .failed(let error):
            throw error
        }
    }

    private mutating func readContent() throws(MultipartError) -> Bool {
        guard let found = buffer.withUnsafeBytes({ delimiter.first(in: $0, from: position) }) else {
            // The last bytes may be the start of a delimiter.
            take(to: max(position, buffer.count - delimiter.pattern.count + 1))
            return false
        }
        take(to: found)
        let rest = buffer[(found + delimiter.pattern.count)...]
        let line = rest.drop(while: HeaderSyntax.isBlank)
        if rest.starts(with: "--".utf8) {
            endPart()
            state = .epilogue
        } else if line.starts(with: [0x0D, 0x0A]) {
            endPart()
            parts += 1
            guard parts <= maximumParts else {
                throw MultipartError(.limit, "more than \(maximumParts) parts")
            }
            position = line.startIndex
            state = .head
        } else if line.isEmpty || line.elementsEqual([0x0D]) || rest.elementsEqual("-".utf8) {
            // More bytes are needed to tell; a line of blanks may not go on for ever.
            guard rest.count <= maximumHeaderBytes else {
                throw MultipartError(.limit, "blanks after a boundary")
            }
            return false
        } else {
            // A longer word that begins like the boundary: the line is content.
            take(to: found + 2)
        }
        return true
    }

    private mutating func readHead() throws(MultipartError) -> Bool {
        let found = buffer.withUnsafeBytes { blankLine.first(in: $0, from: position) }
        // The last three bytes may be the start of the blank line, which is not counted.
        guard (found ?? buffer.count - 3) - position <= maximumHeaderBytes else {
            throw MultipartError(.limit, "a header of more than \(maximumHeaderBytes) bytes")
        }
        guard let found else { return false }
        // From after the delimiter's CRLF to after the last line's; an empty header has none.
        let lines = buffer[min(position + 2, found + 2)..<(found + 2)]
        events.append(.head(try MultipartPart.Head(lines)))
        // The blank line's CRLF may also be a delimiter's: RFC 2046 lets the content be absent.
        position = found + 2
        state = .content(skipping: 2)
        return true
    }

    /// Gives out the bytes up to an offset as content, but for those that belong to the header.
    private mutating func take(to end: Int) {
        defer { position = end }
        guard case .content(let skipped) = state else { return }
        let start = min(position + skipped, end)
        state = .content(skipping: skipped - (start - position))
        if start < end { events.append(.content(Data(buffer[start..<end]))) }
    }

    private mutating func endPart() {
        if case .content = state { events.append(.end) }
    }
}
