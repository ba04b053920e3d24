// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import Testing

struct MultipartPartTests {
    @Test func headersAreFoundInAnyLetterCase() throws {
        var form = MultipartForm()
        form.part("a", data: Data(), mime: "text/x; charset=utf-8", headers: ["X-Trace": " 1 "])
        let head = try #require(try form.onlyPart()).head
        #expect(head.contentType == "text/x; charset=utf-8")
        #expect(head["x-TRACE"] == "1")
        #expect(head["X-None"] == nil)
        #expect(head.fields.map(\.name) == ["Content-Disposition", "Content-Type", "X-Trace"])
    }

    @Test func aFieldHasNoFileNameAndNoType() throws {
        var form = MultipartForm()
        form.field("a", "1")
        let head = try #require(try form.onlyPart()).head
        #expect(head.filename == nil)
        #expect(head.contentType == nil)
    }

    @Test func theNumberOfPartsHasALimit() throws {
        var form = MultipartForm()
        for _ in 0..<3 { form.field("a", "1") }
        let body = try form.encoded()
        let contentType = form.contentType
        #expect(
            try MultipartPart.parts(of: body, contentType: contentType, maximumParts: 3).count == 3
        )
        let thrown = #expect(throws: MultipartError.self) {
            try MultipartPart.parts(of: body, contentType: contentType, maximumParts: 2)
        }
        #expect(thrown?.kind == .limit)
    }

    @Test func aSliceOfDataIsReadFromItsOwnStart() throws {
        var form = MultipartForm()
        form.field("a", "1")
        let body = try form.encoded()
        let slice = (Data("xxxx".utf8) + body).dropFirst(4)
        #expect(
            try MultipartPart.parts(of: slice, contentType: form.contentType).map(\.data) == [
                Data("1".utf8)
            ]
        )
    }
}
