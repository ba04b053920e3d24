// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

/// WHATWG HTML, section 9.2.6.
struct EventParserInternalTests {
    private func parse(_ chunks: [Data]) throws -> ([ServerSentEvent], EventParser) {
        var splitter = LineSplitter(limit: 1_000)
        var parser = EventParser(limit: 1_000)
        var events: [ServerSentEvent] = []
        for chunk in chunks {
            splitter.add(chunk)
            while let line = try splitter.next() {
                if let event = try parser.add(line) { events.append(event) }
            }
        }
        return (events, parser)
    }

    private func parse(_ text: String) throws -> ([ServerSentEvent], EventParser) {
        try parse([Data(text.utf8)])
    }

    /// With each line end, whole, cut in two at each offset, and byte by byte.
    private func expect(
        _ text: String, _ expected: [ServerSentEvent],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for end in ["\n", "\r", "\r\n"] {
            let bytes = Data(text.replacingOccurrences(of: "\n", with: end).utf8)
            #expect(try parse([bytes]).0 == expected, sourceLocation: sourceLocation)
            #expect(
                try parse(bytes.map { Data([$0]) }).0 == expected, sourceLocation: sourceLocation)
            for offset in 0...bytes.count {
                let halves = [Data(bytes.prefix(offset)), Data(bytes.dropFirst(offset))]
                #expect(try parse(halves).0 == expected, sourceLocation: sourceLocation)
            }
        }
    }

    private static func message(
        _ data: String, _ event: String = "message", id: String = ""
    ) -> ServerSentEvent {
        ServerSentEvent(event: event, data: data, id: id)
    }

    @Test(arguments: [
        ("", []), ("\n\n\n", []), ("data: a\n\n", [message("a")]),
        // The standard's own examples.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [message("YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                message("first event", id: "1"), message("second event"), message(" third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [message(""), message("\n")]),
        ("data:test\n\ndata: test\n\n", [message("test"), message("test")]),
        // Its end did not come.
        ("data: a\n\ndata: b\n", [message("a")]), ("data: a\n\ndata: b", [message("a")]),
        // One blank after the colon is none of the value's.
        ("data:  a \n\n", [message(" a ")]), ("data:\ta\n\n", [message("\ta")]),
        ("data: a:b: c\n\n", [message("a:b: c")]), ("data::\n\n", [message(":")]),
        // A mark makes one character with the colon or the blank before it.
        ("data:\u{301}a\n\n", [message("\u{301}a")]),
        ("data: \u{301}a\n\n", [message("\u{301}a")]),
        // A comment, and fields that nobody knows.
        (":\n:data: x\ndata: a\n\n", [message("a")]),
        ("Data: x\n data: y\ndatax: z\ndata: a\nfoo\n\n", [message("a")]),
        // The type is of one event.
        ("event: add\ndata: 1\n\ndata: 2\n\n", [message("1", "add"), message("2")]),
        ("event: add\n\ndata: 2\n\n", [message("2")]),
        ("event: a\nevent: b\ndata: 1\n\n", [message("1", "b")]),
        ("event: a\nevent\ndata: 1\n\n", [message("1")]),
        // The identifier stays.
        ("id: 7\ndata: 1\n\ndata: 2\n\n", [message("1", id: "7"), message("2", id: "7")]),
        ("id: 7\n\ndata: 2\n\n", [message("2", id: "7")]),
        ("id: 7\ndata: 1\n\nid\ndata: 2\n\n", [message("1", id: "7"), message("2")]),
        ("id: 7\nid: 8\u{0}9\ndata: 1\n\n", [message("1", id: "7")]),
        ("id: å 1\ndata: 1\n\n", [message("1", id: "å 1")]),
        // A byte order mark.
        ("\u{FEFF}data: a\n\n", [message("a")]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        // Each of the stream's texts may hold anything but a line end.
        ("data: 日本 👩‍👩‍👧\u{2028}\u{0}\n\n", [message("日本 👩‍👩‍👧\u{2028}\u{0}")]),
    ])
    func eventsAreMadeOfLines(text: String, expected: [ServerSentEvent]) throws {
        try expect(text, expected)
    }

    @Test(arguments: [
        ("retry: 1500", 1.5), ("retry:0", 0), ("retry: 00010", 0.01), ("retry: 1\nretry: x", 0.001),
        ("retry: 1.5", 3), ("retry: +5", 3), ("retry: -1", 3), ("retry: 5 ", 3), ("retry:  5", 3),
        ("retry", 3), ("retry: ٣", 3), ("retry: 0x10", 3), ("Retry: 1", 3),
        ("retry: 99999999999999999999999", 3),
    ])
    func theTimeToWaitIsDigitsAlone(text: String, seconds: TimeInterval) throws {
        let (events, parser) = try parse(text + "\n")
        #expect(events.isEmpty)
        #expect(parser.retry == seconds)
    }

    @Test func theIdentifierCountsOnceItsEventIsWhole() throws {
        #expect(try parse("id: 1\ndata: a\n\nid: 2\ndata: b\n").1.lastID == "1")
        #expect(try parse("id: 1\n\n").1.lastID == "1")
        #expect(try parse("id: 1\ndata: a\n\nid\n\n").1.lastID == "")
    }

    @Test func aNewConnectionStartsWithoutThePartsOfAnEvent() throws {
        var (_, parser) = try parse("id: 1\ndata: a\n\nid: 2\nevent: e\ndata: b\nretry: 7\n")
        parser.startOver()
        #expect(try parser.add("data: c") == nil)
        #expect(try parser.add("") == Self.message("c", id: "1"))
        #expect(parser.retry == 0.007)
    }

    @Test func waitsDoubleUpToAMinute() throws {
        let (_, asked) = try parse("retry: 500\n")
        #expect((0...8).map(asked.wait) == [0.5, 1, 2, 4, 8, 16, 32, 60, 60])
        #expect(asked.wait(afterBreaks: .max) == 60)
        let (_, long) = try parse("retry: 90000\n")
        #expect((0...2).map(long.wait) == [90, 90, 90])
        let (_, none) = try parse("retry: 0\n")
        #expect(none.wait(afterBreaks: 50) == 0)
    }

    @Test func anEventMayHaveNoLimit() throws {
        var parser = EventParser(limit: .max)
        #expect(try parser.add("data: a") == nil)
        #expect(try parser.add("") == Self.message("a"))
    }

    @Test func anEventThatIsTooLargeIsAnError() throws {
        var parser = EventParser(limit: 5)
        #expect(try parser.add("data: 12") == nil)
        #expect(try parser.add("data: 34") == nil)
        #expect(try parser.add("") == Self.message("12\n34"))
        #expect(try parser.add("data: 12") == nil)
        let error = #expect(throws: ResponseBodyError.self) { try parser.add("data: 345") }
        #expect(error?.kind == .partTooLarge(limit: 5))
    }
}
