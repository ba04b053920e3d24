// SPDX-License-Identifier: MIT

internal import Foundation

/// Splits bytes into lines that end in LF, CRLF or CR: a pure value.
///
/// A line is given as soon as its end is there. After a CR nobody waits to see whether an LF follows.
struct LineSplitter: Sendable {
    /// The most bytes of a line, its end left out.
    let limit: Int
    /// What nobody has looked at yet.
    private var bytes: ArraySlice<UInt8> = []
    /// The start of a line whose end has not come.
    private var line: [UInt8] = []
    private var isFirst = true
    private var followsCR = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the bytes that came, once ``next()`` has given all lines of those before.
    mutating func add(_ data: Data) {
        bytes = [UInt8](data)[...]
    }

    /// Takes the next line whose end is there, nil when there is none.
    ///
    /// - Throws: ``ResponseBodyError`` of kind `partTooLarge`.
    mutating func next() throws(ResponseBodyError) -> String? {
        if followsCR, let first = bytes.first {
            followsCR = false
            if first == 0x0A { bytes = bytes.dropFirst() }
        }
        let end = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
        line += bytes[..<(end ?? bytes.endIndex)]
        followsCR = end.map { bytes[$0] == 0x0D } ?? followsCR
        bytes = end.map { bytes[($0 + 1)...] } ?? []
        guard line.count <= limit else { throw ResponseBodyError(.partTooLarge(limit: limit)) }
        return end.map { _ in text() }
    }

    /// Takes what follows the last end, nil when that is nothing.
    mutating func rest() -> String? {
        let rest = text()
        return rest.isEmpty ? nil : rest
    }

    /// The text of the line, without the byte order mark that the first one may have.
    private mutating func text() -> String {
        defer { line.removeAll(keepingCapacity: true) }
        let isMarked = exchange(&isFirst, false) && line.starts(with: [0xEF, 0xBB, 0xBF])
        return String(decoding: line.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
    }
}
