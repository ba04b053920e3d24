// SPDX-License-Identifier: MIT

/// Numbers without a pattern, the same for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &self)
    }

    /// Whether something happens that does so once in so many times.
    mutating func once(in count: Int) -> Bool {
        number(1...count) == 1
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }

    /// Bytes, of which most are those that mean something somewhere.
    mutating func bytes(upTo limit: Int) -> [UInt8] {
        let special = Array("\r\n\r\n\0\t \"%;:=,{}[]()-./\\?#@&+\u{FEFF}é€😀0123456789aZ".utf8)
        let onlySpecial = once(in: 2)
        return (0..<number(0...limit)).map { _ in
            onlySpecial || once(in: 2) ? pick(special) : UInt8(truncatingIfNeeded: next())
        }
    }

    mutating func text(upTo limit: Int) -> String {
        String(decoding: bytes(upTo: limit), as: UTF8.self)
    }
}

extension StringProtocol {
    /// Each escape as its byte.
    ///
    /// Foundation's `removingPercentEncoding` leaves out U+FEFF at the start.
    var percentDecoded: String {
        var (bytes, rest) = ([UInt8](), Array(utf8)[...])
        while let byte = rest.popFirst() {
            let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            if byte == UInt8(ascii: "%"), let code {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
