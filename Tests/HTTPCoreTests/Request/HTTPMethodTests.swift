// SPDX-License-Identifier: MIT

import HTTPCore
import Testing

struct HTTPMethodTests {
    // RFC 9110, section 9.2.2
    @Test(arguments: [
        (HTTPMethod.get, "GET", true), (.head, "HEAD", true), (.put, "PUT", true),
        (.delete, "DELETE", true), (.options, "OPTIONS", true), (.trace, "TRACE", true),
        (.post, "POST", false), (.patch, "PATCH", false),
        (HTTPMethod(rawValue: "PURGE"), "PURGE", false),
        // Section 9.1: methods are case-sensitive, so this one is not GET.
        (HTTPMethod(rawValue: "get"), "get", false),
    ])
    func idempotencyIsTheRFCs(method: HTTPMethod, name: String, isIdempotent: Bool) {
        #expect(method.rawValue == name)
        #expect("\(method)" == name)
        #expect(method.isIdempotent == isIdempotent)
    }
}
