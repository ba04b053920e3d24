// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct MultipartErrorTests {
    @Test func theDescriptionNamesTheFileAndTheReason() throws {
        let directory = try Folder()
        let missing = directory.url.appendingPathComponent("nope.jpg")
        var form = MultipartForm()
        form.file("f", url: missing)
        let reading = #expect(throws: MultipartError.self) { try form.encoded() }
        #expect(reading?.description == "cannot read \(missing.path): No such file or directory")
        #expect(reading?.localizedDescription == reading?.description)
        let writing = #expect(throws: MultipartError.self) {
            try MultipartForm().write(to: directory.url)
        }
        #expect(writing?.description == "cannot write \(directory.url.path): Is a directory")
    }

    @Test func withoutAFileTheDescriptionIsTheReason() {
        var form = MultipartForm()
        form.field("a\0", "")
        let thrown = #expect(throws: MultipartError.self) { try form.encoded() }
        #expect(thrown?.path == nil)
        #expect(thrown?.code == nil)
        #expect(thrown?.description == #"NUL in the name "a\0""#)
    }
}
