// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct MultipartParserTests {
    private static let head = "Content-Disposition: form-data; name=\"a\"\r\n"

    @Test(arguments: [
        // The example of RFC 2046 section 5.1.1: preamble, epilogue, blanks after the boundary.
        "preamble\r\n--XX\r\n\(head)\r\n1\r\n--XX--\r\nepilogue\r\n--XX\r\n",
        "\r\n--XX \t \r\n\(head)\r\n1\r\n--XX--",
        "--XX\r\n\(head)\r\n1\r\n--XX--  \r\n",
        "--XX\r\nCONTENT-DISPOSITION:form-data ; NAME=a\r\n\r\n1\r\n--XX--\r\n",
        "--XX\r\nContent-Disposition: form-data;\r\n\tname=\"a\"\r\n\r\n1\r\n--XX--\r\n",
        "--XXX\r\n--XX\r\n\(head)\r\n1\r\n--XX--\r\n",
    ])
    func theGrammarIsReadInItsForms(body: String) throws {
        let parts = try parse(body)
        #expect(parts.map(\.head.name) == ["a"])
        #expect(parts.map(\.data) == [Data("1".utf8)])
        #expect(try parse(body, byteByByte: true) == parts)
    }

    @Test(arguments: [
        "\r\n--XXX\r\n", "\r\n--X", "\r\n-", "--XX", "x\r\n--XX \t\r\r\n", "\r\n--XX-\r\n",
        "\r\n--XX -- \r\n",
        "\r\n\r\n--XXY\r",
    ])
    func whatLooksLikeADelimiterIsContent(content: String) throws {
        let body = "--XX\r\n\(MultipartParserTests.head)\r\nc\(content)\r\n--XX--\r\n"
        for byteByByte in [false, true] {
            #expect(
                try parse(body, byteByByte: byteByByte).map(\.data.visible) == [
                    Data("c\(content)".utf8).visible
                ]
            )
        }
    }

    // RFC 2046: body-part := MIME-part-headers [CRLF *OCTET]
    @Test func aPartMayHaveNoContent() throws {
        let head = MultipartParserTests.head
        for body in ["--XX\r\n\(head)\r\n--XX--\r\n", "--XX\r\n\(head)\r\n\r\n--XX--\r\n"] {
            #expect(try parse(body).map(\.data) == [Data()])
            #expect(try parse(body, byteByByte: true).map(\.data) == [Data()])
        }
    }

    @Test func aFormWithoutPartsIsComplete() throws {
        #expect(try parse("--XX--\r\n") == [])
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=XX")
        #expect(!parser.isComplete)
        #expect(try parser.push(Data("--XX--".utf8)) == [])
        #expect(parser.isComplete)
    }

    @Test(arguments: [
        "", "--XX", "--XX\r\n\(head)", "--XX\r\n\(head)\r\n1", "--XX\r\n\(head)\r\n1\r\n--XX-",
    ])
    func aBodyThatEndsEarlyIsTruncated(body: String) {
        #expect(error { try parse(body) }?.kind == .truncated)
    }

    @Test(arguments: [
        "\r\n",
        "X-A: 1\r\n\r\n",
        "Content-Disposition: form-data\r\n\r\n",
        "Content-Disposition: attachment; name=\"a\"\r\n\r\n",
        "Content-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n",
        "Content-Disposition: form-data; name=\"a\r\n\r\n",
        "\(head)\(head)\r\n",
        "\(head)no field\r\n\r\n",
        "\(head)X A: 1\r\n\r\n",
        "\(head): 1\r\n\r\n",
        "\(head)X-A: 1\rX-B: 2\r\n\r\n",
        "\(head)X-A: 1\nX-B: 2\r\n\r\n",
        "\(head)X-A: \0\r\n\r\n",
        " \(head)\r\n",
    ])
    func aHeaderThatBreaksTheGrammarIsMalformed(header: String) {
        let body = "--XX\r\n\(header)1\r\n--XX--\r\n"
        #expect(error { try parse(body) }?.kind == .malformed)
        #expect(error { try parse(body, byteByByte: true) }?.kind == .malformed)
    }

    @Test func aHeaderHasALimit() throws {
        let limit = MultipartParserTests.head.utf8.count + 2
        let body = Data("--XX\r\n\(MultipartParserTests.head)\r\n1\r\n--XX--\r\n".utf8)
        var parser = try parser(maximumHeaderBytes: limit)
        #expect(try parser.push(body).count == 3)
        parser = try self.parser(maximumHeaderBytes: limit - 3)
        #expect(error { try parser.push(body) }?.kind == .limit)
    }

    // RFC 2046, section 5.1.1: where the bytes were split says nothing about a body.
    @Test(arguments: -6...6) func theLimitOfAHeaderIsTheSameHoweverItIsSplit(difference: Int) throws
    {
        let limit = MultipartParserTests.head.utf8.count + difference
        let body = Data("--XX\r\n\(MultipartParserTests.head)\r\n1\r\n--XX--\r\n".utf8)
        func kind(_ chunks: [Data]) throws -> MultipartError.Kind? {
            var parser = try parser(maximumHeaderBytes: limit)
            do {
                for chunk in chunks { _ = try parser.push(chunk) }
                return nil
            } catch {
                return error.kind
            }
        }
        let whole = try kind([body])
        #expect(whole == (difference < 0 ? .limit : nil))
        #expect(try kind(body.map { Data([$0]) }) == whole)
        for end in 1..<body.count {
            #expect(try kind([body.prefix(end), body.dropFirst(end)]) == whole, "split at \(end)")
        }
    }

    @Test func aHeaderWithoutEndStopsAtTheLimit() throws {
        var parser = try parser(maximumHeaderBytes: 1_000)
        _ = try parser.push(Data("--XX\r\nX-A: ".utf8))
        let thrown = error { for _ in 0..<2_000 { _ = try parser.push(Data("x".utf8)) } }
        #expect(thrown?.kind == .limit)
    }

    @Test func blanksAfterABoundaryStopAtTheLimit() throws {
        var parser = try parser(maximumHeaderBytes: 1_000)
        _ = try parser.push(Data("--XX".utf8))
        let thrown = error { for _ in 0..<2_000 { _ = try parser.push(Data(" ".utf8)) } }
        #expect(thrown?.kind == .limit)
    }

    @Test func theNumberOfPartsHasALimit() throws {
        let part = "--XX\r\n\(MultipartParserTests.head)\r\n1\r\n"
        for (parts, limit) in [(3, 3), (4, 3), (1, 0)] {
            let body = Data((String(repeating: part, count: parts) + "--XX--\r\n").utf8)
            var parser = try MultipartParser(
                contentType: "multipart/form-data; boundary=XX",
                maximumParts: limit
            )
            if parts <= limit {
                #expect(try parser.push(body).count == 3 * parts)
            } else {
                #expect(error { try parser.push(body) }?.kind == .limit)
            }
        }
    }

    @Test func anErrorIsRepeated() throws {
        var parser = try parser()
        let first = error { try parser.push(Data("--XX\r\n\r\n\r\n".utf8)) }
        #expect(first?.kind == .malformed)
        #expect(error { try parser.push(Data("--XX--\r\n".utf8)) } == first)
        #expect(error { try parser.finish() } == first)
    }

    @Test func contentIsGivenOutAsItComes() throws {
        var parser = try parser()
        _ = try parser.push(Data("--XX\r\n\(MultipartParserTests.head)\r\n".utf8))
        let events = try parser.push(pattern(100_000))
        let given = events.reduce(0) { count, event in
            if case .content(let data) = event { count + data.count } else { count }
        }
        #expect(given > 99_990)
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=XX", true),
        ("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"XX\"", true),
        ("multipart/form-data;boundary=XX;", true),
        ("multipart/form-data", false),
        ("multipart/form-data; boundary=", false),
        ("multipart/form-data; boundary=\"\"", false),
        ("multipart/form-data; boundary=\"XX", false),
        ("multipart/form-data; boundary=é", false),
        ("multipart/form-data; boundary=\"XX \"", false),
        ("multipart/mixed; boundary=XX", false),
        ("application/json", false),
        ("", false),
    ])
    func theTypeHasToNameABoundary(contentType: String, isLegal: Bool) throws {
        guard isLegal else {
            #expect(error { try MultipartParser(contentType: contentType) }?.kind == .malformed)
            return
        }
        var parser = try MultipartParser(contentType: contentType)
        _ = try parser.push(Data("--XX--".utf8))
        #expect(parser.isComplete)
    }

    // A small fixed generator: a failure can be replayed.
    @Test func noBytesTrapAndSplitsAgree() throws {
        var state: UInt64 = 42
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let words = [
            "\r\n", "\r", "\n", "--XX", "--", "-", " ", "\r\n\r\n", MultipartParserTests.head, "a",
            "\0",
        ]
        for _ in 0..<3_000 {
            let body = (0..<random(12)).map { _ in words[random(words.count)] }.joined()
            let whole = Result { try parse("--XX\r\n" + body + "\r\n--XX--\r\n") }
            let bytes = Result { try parse("--XX\r\n" + body + "\r\n--XX--\r\n", byteByByte: true) }
            switch (whole, bytes) {
            case (.success(let one), .success(let other)): #expect(one == other)
            case (.failure, .failure): break
            default: Issue.record("splits differ for \(body.debugDescription)")
            }
        }
    }

    private func parser(maximumHeaderBytes: Int = 16_384) throws -> MultipartParser {
        try MultipartParser(
            contentType: "multipart/form-data; boundary=XX",
            maximumHeaderBytes: maximumHeaderBytes
        )
    }

    private func parse(_ body: String, byteByByte: Bool = false) throws -> [ReceivedPart] {
        try ReceivedPart.parts(of: byteByByte ? body.utf8.map { Data([$0]) } : [Data(body.utf8)])
    }

    private func error(_ body: () throws -> some Any) -> MultipartError? {
        #expect(throws: MultipartError.self) { _ = try body() }
    }
}
