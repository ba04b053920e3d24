// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A legal answer that something was done to, known by its seed alone.
struct Mutant: Sendable, CustomStringConvertible {
    /// One thing that is done to the bytes.
    enum Change: CaseIterable {
        case cut, flipBits, dropBytes, repeatBytes, insertBytes, insertZero, latin1
        case repeatLine, dropLine, foldLine, moveLine, lineFeedsOnly, missingSpaces
        case otherLength, hugeLength, twoFramings, badChunkSize, hugeChunkSize
        case excess, secondAnswer, trailers, brokenCoding, longHead, oddStatus
    }

    /// What follows the bytes.
    enum Ending: CaseIterable {
        case close, reset, keepOpen, hold
    }

    /// What is known to be right.
    enum Right {
        case anything, failure
        case answer(LegalResponse)
    }

    let seed: UInt64
    let legal: LegalResponse
    let changes: [Change]
    let ending: Ending
    let answer: LoopbackServer.Answer
    let right: Right

    init(seed: UInt64) {
        var random = Seeded(seed)
        self.seed = seed
        legal = random.pick(LegalResponse.all)
        var bytes = legal.bytes
        let count = random.once(in: 20) ? 0 : random.number(1...3)
        changes = (0..<count).map { _ in random.pick(Change.allCases) }
        for change in changes { bytes = Self.changed(bytes, change, &random) }
        // Whoever waits for more costs time: most end.
        ending =
            random.once(in: 20) ? .hold : random.pick([.close, .close, .close, .reset, .keepOpen])
        var steps: [LoopbackServer.Step] = []
        // What follows an answer later than its end may come when the next request is under way, and is then
        // taken for its answer: nobody can tell. So the rest comes in one piece.
        let isOnlyCut = changes.allSatisfy { $0 == .cut }
        let pieces = isOnlyCut ? Self.pieces(of: bytes, &random) : [bytes[...]]
        for piece in pieces { steps.append(.send(Data(piece))) }
        switch ending {
        case .close: steps.append(.close)
        case .reset: steps.append(.reset)
        // Past the limit of whoever waits for more. Whoever has read a whole answer may use the connection
        // again, and is entitled to an end.
        case .hold: steps += [.pause(1), .close]
        case .keepOpen: break
        }
        answer = LoopbackServer.Answer(steps)
        right = Self.right(legal, changes, ending, missing: legal.bytes.count - bytes.count)
    }

    var description: String {
        "seed \(seed): \(legal.head.prefix { $0 != "\r\n" }), \(changes), \(ending)"
    }

    private static func right(
        _ legal: LegalResponse, _ changes: [Change], _ ending: Ending, missing: Int
    ) -> Right {
        // What follows a redirect, and what a reset destroys on its way, can't be told from here.
        guard legal.body != nil, ending != .reset else { return .anything }
        let waits = ending == .hold || ending == .keepOpen
        switch changes {
        case []: return legal.framing == .untilClose && waits ? .failure : .answer(legal)
        case [.excess] where legal.framing != .untilClose: return .answer(legal)
        // A chunked body is whole once its last chunk, of no bytes, has come (RFC 9112, section 8): the empty line
        // after it may be cut.
        case [.cut] where legal.framing == .chunked && missing <= 2: return .anything
        case [.cut] where missing > 0:
            return legal.framing != .untilClose || legal.isCoded || waits ? .failure : .anything
        default: return .anything
        }
    }

    private static func pieces(
        of bytes: [UInt8], _ random: inout Seeded
    ) -> [ArraySlice<UInt8>] {
        guard !bytes.isEmpty, random.once(in: 3) else { return [bytes[...]] }
        let ends = (0..<random.number(1...4)).map { _ in random.number(0...bytes.count) }.sorted()
        return zip([0] + ends, ends + [bytes.count]).map { bytes[$0..<$1] }
    }
}

extension Mutant {
    private static func changed(
        _ bytes: [UInt8], _ change: Change, _ random: inout Seeded
    ) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let place = random.number(0...(bytes.count - 1))
        let end = min(bytes.count, place + random.number(1...20))
        switch change {
        case .cut: bytes.removeSubrange(place...)
        case .flipBits: for _ in 0...2 { bytes[place] ^= 1 << UInt8(random.number(0...7)) }
        case .dropBytes: bytes.removeSubrange(place..<end)
        case .repeatBytes: bytes.insert(contentsOf: bytes[place..<end], at: end)
        case .insertBytes: bytes.insert(contentsOf: random.bytes(upTo: 30), at: place)
        case .insertZero: bytes.insert(0, at: place)
        case .latin1: bytes.insert(UInt8(random.number(0x80...0xFF)), at: place)
        case .excess: bytes += [0x21] + random.bytes(upTo: 400)
        case .secondAnswer: bytes += random.pick(LegalResponse.all).bytes
        case .brokenCoding:
            bytes[bytes.count - 1 - random.number(0...min(40, bytes.count - 1))] ^= 0xFF
        case .trailers:
            bytes = replaced(bytes, "0\r\n\r\n", by: "0\r\nX: \(random.text(upTo: 20))\r\n\r\n")
        case .otherLength:
            let odd = ["0", "1", "-1", "+3", "0x10", "3, 3", "3,4", " ", "9", "340", "1e3", "５"]
            bytes = replaced(bytes, "Length: ", by: "Length: \(random.pick(odd))\r\nX-Was: ")
        case .hugeLength:
            let huge = [
                "9223372036854775807", "9223372036854775808", "18446744073709551616",
                String(repeating: "9", count: 99), "4294967296",
            ]
            bytes = replaced(bytes, "Length: ", by: "Length: \(random.pick(huge))\r\nX-Was: ")
        case .twoFramings:
            let field = random.pick([
                "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
                "Content-Length: 5", "Transfer-Encoding: identity", "Content-Encoding: br",
                "Content-Encoding: gzip, gzip", "Connection: close", "Connection: upgrade",
            ])
            bytes = replaced(bytes, "\r\n", by: "\r\n\(field)\r\n")
        case .badChunkSize:
            let size = random.pick(["", "-1", "xyz", "0x5", " 5", "5 ", "05", "5;", "5\t;\"", "g"])
            bytes = replaced(bytes, "\r\n\r\n", by: "\r\n\r\n\(size)\r\n")
        case .hugeChunkSize:
            let size = random.pick(["7fffffffffffffff", "ffffffffffffffff", "10000000000000000"])
            bytes = replaced(bytes, "\r\n\r\n", by: "\r\n\r\n\(size)\r\n")
        case .longHead:
            let long = String(repeating: "a", count: random.pick([9_000, 99_000, 320_000]))
            bytes = replaced(bytes, "\r\n", by: "\r\nX-Long: \(long)\r\n")
        case .oddStatus:
            let odd = [
                "000", "099", "1", "20", "2000", "999", "-20", "20x", "101", "100", "304", "600",
            ]
            bytes = replaced(bytes, " 200", by: " \(random.pick(odd))")
        case .lineFeedsOnly: bytes = replacedAll(bytes, "\r\n", by: "\n")
        case .missingSpaces: bytes = replacedAll(bytes, ": ", by: ":")
        case .repeatLine, .dropLine, .foldLine, .moveLine:
            bytes = lined(bytes, change, &random)
        }
        return bytes
    }

    /// Does something to a line.
    private static func lined(
        _ bytes: [UInt8], _ change: Change, _ random: inout Seeded
    ) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let (one, other) = (
            random.number(0...(lines.count - 1)), random.number(0...(lines.count - 1))
        )
        switch change {
        case .repeatLine: lines.insert(lines[one], at: other)
        case .dropLine: lines.remove(at: one)
        case .foldLine: lines[one] = [0x20] + lines[one]
        default: lines.swapAt(one, other)
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    private static func replaced(_ bytes: [UInt8], _ old: String, by new: String) -> [UInt8] {
        let data = Data(bytes)
        guard let range = data.range(of: Data(old.utf8)) else { return bytes }
        return Array(data[..<range.lowerBound]) + Array(new.utf8) + Array(data[range.upperBound...])
    }

    private static func replacedAll(_ bytes: [UInt8], _ old: String, by new: String) -> [UInt8] {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            let isMatch = bytes[index...].starts(with: old)
            result += isMatch ? new : [bytes[index]]
            index += isMatch ? old.count : 1
        }
        return result
    }
}
