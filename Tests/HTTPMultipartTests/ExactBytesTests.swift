// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct ExactBytesTests {
    @Test func aFormWithoutPartsIsItsClosingDelimiter() throws {
        #expect(try MultipartForm.fixed.encoded() == Data("--XX--\r\n".utf8))
    }

    // O-14: every delimiter follows CRLF, the file keeps its own CRLF, a CRLF ends the body.
    @Test func aFieldAndAFile() throws {
        var form = MultipartForm.fixed
        form.field("a", "1")
        form.file("f", data: Data("l1\r\nl2\r\n".utf8), filename: "lines.txt")
        let expected =
            "--XX\r\n"
            + "Content-Disposition: form-data; name=\"a\"\r\n"
            + "\r\n"
            + "1\r\n"
            + "--XX\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"lines.txt\"\r\n"
            + "Content-Type: text/plain\r\n"
            + "\r\n"
            + "l1\r\nl2\r\n\r\n"
            + "--XX--\r\n"
        #expect(try form.encoded().visible == Data(expected.utf8).visible)
        #expect(form.contentLength == Int64(expected.utf8.count))
    }

    @Test func aFileOnDiskIsSentLikeOneInMemory() throws {
        let directory = try Folder()
        var fromDisk = MultipartForm.fixed
        fromDisk.file("f", url: try directory.file("photo.HEIC", pattern(70_000)))
        var fromMemory = MultipartForm.fixed
        fromMemory.file("f", data: pattern(70_000), filename: "photo.HEIC", mime: "image/heic")
        #expect(try fromDisk.encoded() == fromMemory.encoded())
    }

    // O-09
    @Test func aQuoteInAFileNameIsPercent22() throws {
        let line = #"form-data; name="data"; filename="my %22draft%22.pdf""#
        #expect(try disposition(name: "data", filename: #"my "draft".pdf"#) == line)
    }

    // O-10: exactly one part, whose only other header is the real type.
    @Test func lineEndsInAFileNameStayInTheFileName() throws {
        let filename = "evil\r\nContent-Type: text/x\r\n\r\nSMUGGLED"
        var form = MultipartForm.fixed
        form.file("f", data: Data("ok".utf8), filename: filename)
        let expected =
            "--XX\r\n"
            + "Content-Disposition: form-data; name=\"f\"; "
            + "filename=\"evil%0D%0AContent-Type: text/x%0D%0A%0D%0ASMUGGLED\"\r\n"
            + "Content-Type: application/octet-stream\r\n"
            + "\r\n"
            + "ok\r\n"
            + "--XX--\r\n"
        #expect(try form.encoded().visible == Data(expected.utf8).visible)
        let part = try form.onlyPart()
        #expect(part?.head.filename == filename)
        #expect(part?.head.fields.map(\.name) == ["Content-Disposition", "Content-Type"])
        #expect(part?.data == Data("ok".utf8))
    }

    // O-11: raw UTF-8, never filename*.
    @Test func aFileNameIsSentAsUTF8() throws {
        let line = #"form-data; name="f"; filename="файл 名.txt""#
        #expect(try disposition(name: "f", filename: "файл 名.txt") == line)
    }

    // O-15: a field has one header line alone.
    @Test func aFieldHasNoType() throws {
        var form = MultipartForm.fixed
        form.field("title", "héllo")
        let expected =
            "--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nhéllo\r\n--XX--\r\n"
        #expect(try form.encoded().visible == Data(expected.utf8).visible)
    }

    @Test func aFieldsValueIsSentAsGiven() throws {
        var form = MultipartForm.fixed
        form.field("v", "a\nb\rc\"%0A")
        #expect(try form.onlyPart()?.data == Data("a\nb\rc\"%0A".utf8))
    }

    @Test func separatorsAndBackslashesInAFileNameStay() throws {
        let line = #"form-data; name="a;b=c"; filename="C:\dir/..\a.txt""#
        #expect(try disposition(name: "a;b=c", filename: #"C:\dir/..\a.txt"#) == line)
    }

    @Test func headersFollowTheTypeInTheOrderOfTheirNames() throws {
        var form = MultipartForm.fixed
        let headers = ["X-B": "2", "Content-Language": "de", "X-A": "1"]
        form.part("p", data: Data("{}".utf8), mime: "application/json", headers: headers)
        let expected =
            "--XX\r\n"
            + "Content-Disposition: form-data; name=\"p\"\r\n"
            + "Content-Type: application/json\r\n"
            + "Content-Language: de\r\n"
            + "X-A: 1\r\n"
            + "X-B: 2\r\n"
            + "\r\n{}\r\n--XX--\r\n"
        #expect(try form.encoded().visible == Data(expected.utf8).visible)
    }

    private func disposition(name: String, filename: String) throws -> String? {
        var form = MultipartForm.fixed
        form.file(name, data: Data(), filename: filename)
        let lines = try form.encoded().split(separator: 0x0D)
        return String(decoding: lines[1], as: UTF8.self)
            .replacingOccurrences(of: "\nContent-Disposition: ", with: "")
    }
}
