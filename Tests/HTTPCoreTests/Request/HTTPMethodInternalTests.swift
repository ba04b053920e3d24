// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct HTTPMethodInternalTests {
    // O-08; RFC 9110, section 8.6
    @Test(arguments: [
        (HTTPMethod.post, true), (.put, true), (.patch, true),
        (HTTPMethod(rawValue: "REPORT"), true),
        (.get, false), (.head, false), (.delete, false), (.options, false), (.trace, false),
    ])
    func methodsThatMayCarryContentSayItsLength(method: HTTPMethod, anticipates: Bool) {
        #expect(method.anticipatesContent == anticipates)
    }
}
