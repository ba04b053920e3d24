// SPDX-License-Identifier: MIT

import HTTPCore
import Testing

struct ContentTypeTests {
    @Test(arguments: [
        (ContentType.json, "application/json"),
        (.xml, "application/xml"),
        (.formURLEncoded, "application/x-www-form-urlencoded"),
        (.text, "text/plain"),
        (.html, "text/html"),
        (.octetStream, "application/octet-stream"),
        (.problemJSON, "application/problem+json"),
        (ContentType(rawValue: "application/vnd.api+json"), "application/vnd.api+json"),
    ])
    func rawValueAndDescriptionAreTheMediaType(type: ContentType, text: String) {
        #expect(type.rawValue == text)
        #expect("\(type)" == text)
    }
}
