// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct CurlHeadInternalTests {
    private func head(_ lines: [String]) -> (head: CurlHead, events: [CurlHead.Event]) {
        var head = CurlHead()
        let events = lines.map { head.line("\($0)\r\n".utf8) }
        return (head, events)
    }

    @Test func aHeadCountsWhenItsBlankLineHasCome() {
        let (head, events) = head(["HTTP/1.1 200 OK", "X-A: 1", "x-a:2", "X-B:", ""])
        #expect(events == [.nothing, .nothing, .nothing, .nothing, .head])
        #expect(head.isComplete)
        #expect(head.status == 200)
        #expect(head.fields.map(\.name) == ["X-A", "x-a", "X-B"])
        #expect(head.fields.map(\.value) == ["1", "2", ""])
    }

    // O-24
    @Test func interimAnswersAreForgotten() {
        let early = ["HTTP/1.1 103 Early Hints", "Link: </a>", "X-H: early", ""]
        let (head, events) = head(early + early + ["HTTP/1.1 200 OK", "X-H: final", ""])
        #expect(events.filter { $0 == .head }.count == 1)
        #expect(events.last == .head)
        #expect(head.status == 200)
        #expect(head.fields == ["X-H": "final"])
    }

    // O-26: libcurl calls this a success.
    @Test(arguments: [
        [], ["HTTP/1.1 200 OK"], ["HTTP/1.1 200 OK", "Content-Le"], ["HTTP/1.1 100 Continue", ""],
    ])
    func aCutHeadIsNotComplete(lines: [String]) {
        #expect(head(lines).head.isComplete == false)
    }

    @Test func trailersAreIgnored() {
        var (head, _) = head(["HTTP/1.1 200 OK", "X-A: 1", ""])
        #expect(head.line("X-A: 2\r\n".utf8) == .nothing)
        #expect(head.line("\r\n".utf8) == .nothing)
        #expect(head.fields == ["X-A": "1"])
    }

    // RFC 9112, section 5.2
    @Test func aFoldedLineContinuesTheValue() {
        let (head, _) = head(["HTTP/1.1 200 OK", "X-A: 1,", "   2,", "\t3 ", "X-B:", " 4", ""])
        #expect(head.fields == ["X-A": "1, 2, 3", "X-B": "4"])
    }

    @Test func aFoldedLineWithoutAFieldIsIgnored() {
        let (head, events) = head(["HTTP/1.1 200 OK", " odd", "X-A: 1", ""])
        #expect(events.last == .head)
        #expect(head.fields == ["X-A": "1"])
    }

    // RFC 9110, section 5.5; RFC 9112, section 5.1
    @Test(arguments: [
        ("X-A:1", "1"), ("X-A: \t 1 2 \t ", "1 2"), ("X-A: a:b", "a:b"), ("X-A: café", "café"),
        ("X-A : 1", "1"), ("X-A:   ", ""),
    ])
    func whiteSpaceAroundAValueIsNotPartOfIt(line: String, value: String) {
        #expect(head(["HTTP/1.1 200 OK", line, ""]).head.fields["x-a"] == value)
    }

    // O-36
    @Test func repeatsStayApart() {
        let (head, _) = head(["HTTP/1.1 200 OK", "Set-Cookie: a=1, x", "Set-Cookie: b=2", ""])
        #expect(head.fields.values("set-cookie") == ["a=1, x", "b=2"])
    }

    @Test func bytesThatAreNoUTF8AreLatin1() {
        var head = CurlHead()
        _ = head.line("HTTP/1.1 200 OK".utf8)
        _ = head.line(Array("X-A: caf".utf8) + [0xE9, 0x0D, 0x0A])
        #expect(head.fields["X-A"] == "café")
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200), ("HTTP/2 200", 200), ("HTTP/2 404 ", 404), ("HTTP/1.0 599", 599),
        ("HTTP/1.1  200", 200), ("HTTP/1.1 204 No\tContent", 204), ("HTTP/3 301", 301),
    ])
    func theStatusIsTheNumberAfterTheVersion(line: String, status: Int) {
        let (head, events) = head([line, ""])
        #expect(events == [.nothing, .head])
        #expect(head.status == status)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 OK", "HTTP/", "HTTP/1.1 99", "garbage"])
    func whatHasNoStatusIsNoHead(line: String) {
        #expect(head([line, ""]).head.isComplete == false)
    }

    // RFC 9112, section 6.3
    @Test(arguments: [
        ([], true), (["Content-Length: 0"], true), (["Content-Length: 10"], true),
        (["Content-Length: 5, 5"], true), (["Content-Length: 5", "content-length: 5"], true),
        (["Content-Length: 5, 6"], false), (["Content-Length: 5", "content-length: 6"], false),
        (["Content-Length: -5"], false), (["Content-Length: +5"], false),
        (["Content-Length: 5 5"], false), (["Content-Length: x"], false),
        (["Content-Length:"], false), (["Content-Length: 5,"], false),
        (["Content-Length: 99999999999999999999"], false),
        (["Content-Length: x", "Transfer-Encoding: chunked"], true),
        (["Transfer-Encoding: Chunked"], true),
        // Codings that nobody asked for, and whose end can't be told.
        (["Transfer-Encoding: gzip, chunked"], false), (["Transfer-Encoding: gzip"], false),
        (["Transfer-Encoding: xchunked"], false), (["Transfer-Encoding:"], false),
        (["Transfer-Encoding: identity", "Content-Length: 5"], false),
    ])
    func aLengthIsOneNumber(fields: [String], isUsable: Bool) {
        let event = head(["HTTP/1.1 200 OK"] + fields + [""]).events.last
        #expect((event == .head) == isUsable)
    }

    @Test func linesWithoutAColonAreIgnored() {
        #expect(head(["HTTP/1.1 200 OK", "odd", "X-A: 1", ""]).head.fields == ["X-A": "1"])
    }

    @Test func bareLineFeedsEndLinesToo() {
        var head = CurlHead()
        #expect(head.line("HTTP/1.1 200 OK\n".utf8) == .nothing)
        #expect(head.line("X-A: 1\n".utf8) == .nothing)
        #expect(head.line("\n".utf8) == .head)
        #expect(head.fields == ["X-A": "1"])
    }

    @Test func aHeadPastTheLimitIsTooLong() {
        var head = CurlHead()
        _ = head.line("HTTP/1.1 200 OK\r\n".utf8)
        let line = Array("X-A: \(String(repeating: "a", count: 10_000))\r\n".utf8)
        let events = (0..<31).map { _ in head.line(line) }
        #expect(events.dropLast().allSatisfy { $0 == .nothing })
        #expect(
            events.last == .refused("The head of the answer is longer than 307200 bytes."))
    }

    @Test func trailersCountToTheLimit() {
        var (head, _) = head(["HTTP/1.1 200 OK", "X-A: 1", ""])
        let line = Array("X-B: \(String(repeating: "b", count: 10_000))\r\n".utf8)
        let events = (0..<31).map { _ in head.line(line) }
        #expect(events.dropLast().allSatisfy { $0 == .nothing })
        #expect(
            events.last == .refused("The head of the answer is longer than 307200 bytes."))
        #expect(head.fields == ["X-A": "1"])
    }

    @Test func interimAnswersHaveALimitOfTheirOwn() {
        var head = CurlHead()
        let line = Array("X-A: \(String(repeating: "a", count: 200_000))\r\n".utf8)
        for status in [103, 103, 200] {
            #expect(head.line("HTTP/1.1 \(status) x\r\n".utf8) == .nothing)
            #expect(head.line(line) == .nothing)
            #expect(head.line("\r\n".utf8) == (status == 200 ? .head : .nothing))
        }
    }

    // A server must not hold the one event loop up: this took minutes when it was quadratic.
    @Test(.timeLimit(.minutes(5))) func aLineOfSpacesIsReadInLinearTime() {
        var head = CurlHead()
        _ = head.line("HTTP/1.1 200 OK\r\n".utf8)
        let line = [UInt8]("X-A: a\(String(repeating: " ", count: 300_000))\r\n".utf8)
        _ = line.withUnsafeBytes { head.line($0) }
        #expect(head.fields["X-A"] == "a")
    }
}
