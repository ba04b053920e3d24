// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct LineSplitterInternalTests {
    private func lines(_ chunks: [Data], limit: Int = 100) throws -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [String] = []
        for chunk in chunks {
            splitter.add(chunk)
            while let line = try splitter.next() { lines.append(line) }
        }
        if let rest = splitter.rest() { lines.append(rest) }
        return lines
    }

    /// Whole, cut in two at each offset, and byte by byte.
    private func expect(
        _ bytes: Data, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try lines([bytes]) == expected, sourceLocation: sourceLocation)
        let single = bytes.map { Data([$0]) }
        #expect(try lines(single) == expected, sourceLocation: sourceLocation)
        for offset in 0...bytes.count {
            let halves = [Data(bytes.prefix(offset)), Data(bytes.dropFirst(offset))]
            #expect(try lines(halves) == expected, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("\r", [""]), ("\r\n", [""]), ("\n\n", ["", ""]),
        ("\r\r", ["", ""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]), ("\r\r\n", ["", ""]),
        ("\r\n\n", ["", ""]), ("\n\r\n\r", ["", "", ""]),
        ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]),
        ("a\nb\rc\r\nd", ["a", "b", "c", "d"]), ("a\n\nb", ["a", "", "b"]),
        ("a\r\n\r\nb\r\n", ["a", "", "b"]), ("\na", ["", "a"]),
        // What ends a line in other worlds stays in it.
        ("a\u{B}b\u{C}c\u{85}d\u{2028}e\0f\n", ["a\u{B}b\u{C}c\u{85}d\u{2028}e\0f"]),
        ("é\n日本\r\n👩‍👩‍👧\r", ["é", "日本", "👩‍👩‍👧"]),
        // The line end stays a line end before a mark that would join it.
        ("a\n\u{301}b\n", ["a", "\u{301}b"]),
    ])
    func aLineEndsInLFCRLFOrCR(text: String, expected: [String]) throws {
        try expect(Data(text.utf8), expected)
    }

    @Test(arguments: [
        ("\u{FEFF}", []), ("\u{FEFF}a\nb", ["a", "b"]), ("\u{FEFF}\na", ["", "a"]),
        ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]), ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
        ("\n\u{FEFF}b", ["", "\u{FEFF}b"]),
    ])
    func theFirstByteOrderMarkIsNoText(text: String, expected: [String]) throws {
        try expect(Data(text.utf8), expected)
    }

    @Test func whatIsNoUTF8IsReplaced() throws {
        try expect(
            Data([0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0xE9]), ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
    }

    /// A live stream may pause for hours after it.
    @Test(arguments: ["\r", "\n", "\r\n"])
    func aLineIsThereWithItsEnd(end: String) throws {
        var splitter = LineSplitter(limit: 10)
        splitter.add(Data("a\(end)".utf8))
        #expect(try splitter.next() == "a")
        #expect(try splitter.next() == nil)
        splitter.add(Data("b".utf8))
        #expect(try splitter.next() == nil)
        splitter.add(Data("\(end)".utf8))
        #expect(try splitter.next() == "b")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 100])
    func aLineThatIsTooLongIsAnErrorAfterThoseBefore(size: Int) throws {
        let bytes = Data("abc\r\n1234\nx".utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map {
            bytes.subdata(in: $0..<min($0 + size, bytes.count))
        }
        #expect(try lines(chunks, limit: 4) == ["abc", "1234", "x"])
        var splitter = LineSplitter(limit: 3)
        var lines: [String] = []
        let error = #expect(throws: ResponseBodyError.self) {
            for chunk in chunks {
                splitter.add(chunk)
                while let line = try splitter.next() { lines.append(line) }
            }
        }
        #expect(lines == ["abc"])
        #expect(throws: ResponseBodyError.self) { try splitter.next() }
        #expect(error?.kind == .partTooLarge(limit: 3))
        #expect(error?.description.contains("3 bytes") == true)
    }
}
