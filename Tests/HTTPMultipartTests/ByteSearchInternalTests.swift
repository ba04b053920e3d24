// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPMultipart

struct ByteSearchInternalTests {
    @Test func theFirstOccurrenceAtOrAfterAStartIsFound() {
        let alphabet = Array("ab".utf8)
        // Every text of up to 8 letters against every pattern of up to 4, beside a plain search.
        let words = (1...8).flatMap { length in
            (0..<(1 << length)).map { bits in (0..<length).map { alphabet[bits >> $0 & 1] } }
        }
        for pattern in words where pattern.count <= 4 {
            let search = ByteSearch(pattern)
            for text in words {
                for start in [0, 1, text.count] {
                    let expected = (start..<max(start, text.count - pattern.count + 1))
                        .first { Array(text[$0..<($0 + pattern.count)]) == pattern }
                    #expect(text.withUnsafeBytes { search.first(in: $0, from: start) } == expected)
                }
            }
        }
    }
}
