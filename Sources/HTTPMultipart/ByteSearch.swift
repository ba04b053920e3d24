// SPDX-License-Identifier: MIT

/// A byte pattern prepared for searching, after Horspool.
///
/// The C library's `memmem` is not visible to Swift on Linux.
struct ByteSearch: Sendable {
    let pattern: [UInt8]
    /// For each byte, how far the window may move when that byte is its last.
    private var skip: [Int]

    /// - Parameter pattern: The bytes to look for, at least one.
    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        skip = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() {
            skip[Int(byte)] = pattern.count - 1 - index
        }
    }

    /// Returns the offset of the first occurrence at or after `start`.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        var end = start + pattern.count
        while end <= bytes.count {
            let last = bytes[end - 1]
            if last == pattern[pattern.count - 1],
                bytes[(end - pattern.count)..<end].elementsEqual(pattern)
            {
                return end - pattern.count
            }
            end += skip[Int(last)]
        }
        return nil
    }
}
