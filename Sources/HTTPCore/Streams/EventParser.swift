// SPDX-License-Identifier: MIT

internal import Foundation

/// Makes events of lines by the rules of WHATWG HTML, section 9.2.6: a pure value.
struct EventParser: Sendable {
    /// The most bytes of an event's data.
    let limit: Int
    /// The identifier to go on from, which counts once its event is whole.
    private(set) var lastID = ""
    /// How long the server asks to wait before the next connection, in seconds.
    private(set) var retry: TimeInterval = 3
    private var id = ""
    private var event = ""
    private var data = ""

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a line, and gives the event that it ends.
    ///
    /// - Throws: ``ResponseBodyError`` of kind `partTooLarge`.
    mutating func add(_ line: String) throws(ResponseBodyError) -> ServerSentEvent? {
        if line.isEmpty { return end() }
        // By bytes: a mark that follows a colon or a blank makes one character with it.
        let parts = line.utf8.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : "".utf8[...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(parts[0]) {
        case "data":
            data += "\(Substring(value))\n"
            if data.utf8.count - 1 > limit { throw ResponseBodyError(.partTooLarge(limit: limit)) }
        case "event":
            event = "\(Substring(value))"
        case "id" where !value.contains(0):
            id = "\(Substring(value))"
        case "retry" where value.allSatisfy { (0x30...0x39).contains($0) }:
            retry = UInt32(Substring(value)).map { Double($0) / 1_000 } ?? retry
        default:
            // A comment, or a field that nobody knows.
            break
        }
        return nil
    }

    private mutating func end() -> ServerSentEvent? {
        lastID = id
        defer { startOver() }
        if data.isEmpty { return nil }
        let type = event.isEmpty ? "message" : event
        return ServerSentEvent(event: type, data: String(data.dropLast()), id: id)
    }

    /// Forgets an event whose end did not come.
    mutating func startOver() {
        (id, event, data) = (lastID, "", "")
    }

    /// How long to wait after so many breaks in a row: as the server asked, then longer, up to a minute.
    func wait(afterBreaks breaks: Int) -> TimeInterval {
        min(retry * pow(2, Double(min(breaks, 30))), max(retry, 60))
    }
}
