// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Testing

@testable import HTTPCore

struct InflaterInternalTests {
    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64) ?? Data())
    }

    private static let plain = String(repeating: #"{"title":"naïve 😀"},"#, count: 40)
    /// `plain`, made by Python's zlib.
    private static let gzip = bytes(
        "H4sIAAAAAAACA6tWKsksyUlVslLKSzy8vixV4cP8GQ1KtTrVo+Kj4qPig14cAN9dG5nAAwAA"
    )
    private static let zlib = bytes("eNqrVirJLMlJVbJSyks8vL4sVeHD/BkNSrU61aPio+Kj4oNeHAD/OYzI")
    private static let raw = bytes("q1YqySzJSVWyUspLPLy+LFXhw/wZDUq1OtWj4qPio+KDXhwA")
    private static let stored = block(Array(plain.utf8), isLast: true)

    /// RFC 1951, section 3.2.4: a block that is not compressed.
    private static func block(_ content: [UInt8], isLast: Bool) -> [UInt8] {
        let length = UInt16(content.count)
        let ends = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return [isLast ? 1 : 0] + ends + content
    }

    private static let streams = [
        ("identity, gzip", gzip), ("gzip,identity", gzip),
        ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("Deflate", raw),
        ("deflate", stored),
    ]

    /// Inflates the bytes, handed over in pieces of a size.
    private func inflate(
        _ coding: String,
        _ bytes: [UInt8],
        by size: Int = .max
    ) throws -> (text: String, outcome: Inflater.Outcome, isFinished: Bool) {
        let inflater = try #require(Inflater(contentEncoding: coding))
        var plain: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let outcome = piece.withUnsafeBytes { bytes in
                inflater.inflate(bytes) {
                    plain += $0
                    return true
                }
            }
            guard outcome == .ok else {
                return (String(decoding: plain, as: UTF8.self), outcome, inflater.isFinished)
            }
        }
        return (String(decoding: plain, as: UTF8.self), .ok, inflater.isFinished)
    }

    @Test(arguments: streams, [Int.max, 7, 1])
    func aWholeStreamIsUndone(stream: (String, [UInt8]), size: Int) throws {
        let (text, outcome, isFinished) = try inflate(stream.0, stream.1, by: size)
        #expect(outcome == .ok)
        #expect(isFinished)
        #expect(text == Self.plain)
    }

    @Test(arguments: [nil, "", "identity", "br", "zstd", "gzip, br", "compress"])
    func whatIsNotOfferedIsNotUndone(coding: String?) {
        #expect(Inflater(contentEncoding: coding) == nil)
    }

    // O-23: RFC 1952, section 2.3: the check value has to come.
    @Test(arguments: streams)
    func aCutStreamIsNotFinished(stream: (String, [UInt8])) throws {
        for length in 0..<stream.1.count {
            let (_, outcome, isFinished) = try inflate(stream.0, Array(stream.1.prefix(length)))
            #expect(outcome == .ok)
            #expect(!isFinished)
        }
    }

    @Test(arguments: [
        ("gzip", Array("<html>no gzip at all</html>".utf8)),
        ("gzip", [0x1F, 0x8B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0]),
        ("deflate", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("deflate", [0x78, 0x00, 0x00, 0x00]),
    ])
    func garbageIsBroken(coding: String, bytes: [UInt8]) throws {
        for size in [Int.max, 1] {
            let (_, outcome, isFinished) = try inflate(coding, bytes, by: size)
            #expect(outcome == .broken)
            #expect(!isFinished)
        }
    }

    @Test(arguments: [("gzip", gzip), ("deflate", zlib)])
    func aWrongCheckValueIsBroken(coding: String, bytes: [UInt8]) throws {
        var bytes = bytes
        bytes[bytes.count - 1] ^= 1
        #expect(try inflate(coding, bytes).outcome == .broken)
    }

    // RFC 1952, section 2.2
    @Test(arguments: [Int.max, 5, 1])
    func severalMembersAreOneText(size: Int) throws {
        let (text, outcome, isFinished) = try inflate("gzip", Self.gzip + Self.gzip, by: size)
        #expect(outcome == .ok)
        #expect(isFinished)
        #expect(text == Self.plain + Self.plain)
    }

    @Test func aCutSecondMemberIsNotFinished() throws {
        let bytes = Self.gzip + Self.gzip.dropLast(9)
        let (_, outcome, isFinished) = try inflate("gzip", bytes)
        #expect(outcome == .ok)
        #expect(!isFinished)
    }

    @Test(arguments: streams, [Int.max, 1])
    func whatFollowsTheEndIsBroken(stream: (String, [UInt8]), size: Int) throws {
        let (text, outcome, _) = try inflate(stream.0, stream.1 + Array("tail".utf8), by: size)
        #expect(outcome == .broken)
        #expect(text == Self.plain)
    }

    @Test func aReceiverThatWantsNoMoreStops() throws {
        let inflater = try #require(Inflater(contentEncoding: "gzip"))
        var calls = 0
        let outcome = Self.gzip.withUnsafeBytes { bytes in
            inflater.inflate(bytes) { _ in
                calls += 1
                return false
            }
        }
        #expect(outcome == .stopped)
        #expect(calls == 1)
    }

    // A bomb comes in pieces, so that a limit stops it.
    @Test func plainBytesComeInBoundedPieces() throws {
        let inflater = try #require(Inflater(contentEncoding: "deflate"))
        let content = [UInt8](repeating: 7, count: 65_535)
        let bytes = (0...5).flatMap { Self.block(content, isLast: $0 == 5) }
        var pieces: [Int] = []
        let outcome = bytes.withUnsafeBytes { bytes in
            inflater.inflate(bytes) {
                pieces.append($0.count)
                return true
            }
        }
        #expect(outcome == .ok)
        #expect(inflater.isFinished)
        #expect(pieces.reduce(0, +) == 6 * 65_535)
        #expect(pieces.allSatisfy { $0 <= 65_536 })
    }

    // Most answers are not coded: asking must cost nothing that stays.
    @Test func anAnswerWithoutCodingLeaksNothing() throws {
        func pages() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(Int(text.prefix { $0 != " " }))
        }
        let before = try pages()
        for _ in 0..<20_000 { _ = Inflater(contentEncoding: nil) }
        // 20,000 buffers of 64 KiB would be 1.2 GiB of address space; other tests run beside this one.
        #expect(try (pages() - before) * 4_096 < 600 << 20)
    }
}
#endif
