// SPDX-License-Identifier: MIT

public import Foundation

/// <https://developer.apple.com/documentation/cryptokit/sha256digest>.
public struct SHA256Digest: Sequence, Sendable {
    let bytes: [UInt8]

    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

/// <https://developer.apple.com/documentation/cryptokit/sha256>: a true one (FIPS 180-4), so that pins
/// can be compared with OpenSSL's.
public struct SHA256 {
    /// <https://developer.apple.com/documentation/cryptokit/hashfunction/hash(data:)>.
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
            0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var message = [UInt8](data)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: message.count, by: 64) {
            compress(&state, message[start..<start + 64])
        }
        return SHA256Digest(
            bytes: state.flatMap { word in
                (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
            })
    }

    private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let s0 = turn(a, 7) ^ turn(a, 18) ^ (a >> 3)
            let s1 = turn(b, 17) ^ turn(b, 19) ^ (b >> 10)
            words.append(words[index - 16] &+ s0 &+ words[index - 7] &+ s1)
        }
        var v = state
        for index in 0..<64 {
            let s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ s1 &+ choice &+ constants[index] &+ words[index]
            let s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes(64).map { prime in
        let root = cbrt(Double(prime))
        return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static func primes(_ count: Int) -> [Int] {
        var found: [Int] = []
        var number = 2
        while found.count < count {
            if !found.contains(where: { number % $0 == 0 }) { found.append(number) }
            number += 1
        }
        return found
    }
}
