// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import Testing

struct HTTPStatusErrorResponseTests {
    @Test func aHeadBecomesAnErrorAndGetsItsBodyLater() throws {
        let url = try #require(URL(string: "https://host/path?q=1"))
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 422,
                httpVersion: nil,
                headerFields: ["Content-Type": "application/problem+json", "X-B": "2"]
            )
        )
        let head = HTTPStatusError(response)
        #expect(head.status == 422)
        #expect(head.url == url)
        #expect(head.headers["x-b"] == "2")
        #expect(head.body.isEmpty)
    }
}
