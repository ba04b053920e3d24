// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPMultipart

struct PartInternalTests {
    @Test func theHeadEndsInABlankLine() throws {
        let part = try Part(
            ContentDisposition(name: "a"),
            type: "text/x",
            headers: ["X-B": "2", "X-A": ""],
            content: .data(Data())
        )
        let expected =
            "Content-Disposition: form-data; name=\"a\"\r\n"
            + "Content-Type: text/x\r\nX-A: \r\nX-B: 2\r\n\r\n"
        #expect(part.head.visible == Data(expected.utf8).visible)
    }

    @Test func aBoundaryIsFoundInTheHeadAndInTheContent() throws {
        let boundary = try #require(Boundary("XX"))
        for (name, content, contains) in [("XX", "", true), ("a", "aXXa", true), ("a", "b", false)]
        {
            let part = try Part(
                ContentDisposition(name: name),
                type: nil,
                headers: [:],
                content: .data(Data(content.utf8))
            )
            #expect(part.contains(boundary) == contains)
        }
    }
}
