// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct MultipartFormTests {
    @Test func boundariesDifferAndAreTokens() {
        let boundaries = (0..<200).map { _ in MultipartForm().boundary }
        #expect(Set(boundaries).count == 200)
        #expect(
            boundaries.allSatisfy {
                $0.range(of: "^[0-9A-Za-z-]{20,70}$", options: .regularExpression) != nil
            }
        )
    }

    // O-13: the boundary of the type is the one in the body.
    @Test func theTypeNamesTheBoundaryOfTheBody() throws {
        var form = MultipartForm()
        form.field("a", "1")
        #expect(form.contentType == "multipart/form-data; boundary=" + form.boundary)
        #expect(try form.encoded().starts(with: Data("--\(form.boundary)\r\n".utf8)))
    }

    @Test func aBoundaryThatIsNoTokenIsQuoted() throws {
        var form = MultipartForm(boundarySource: { "a b:c" })
        form.field("n", "1")
        #expect(form.contentType == #"multipart/form-data; boundary="a b:c""#)
        #expect(try form.onlyPart()?.data == Data("1".utf8))
    }

    // O-12
    @Test func aBoundaryInsideAPartIsReplaced() throws {
        let content = Data("x\r\n--B1--\r\ny".utf8)
        let source = Boundaries(["B1", "B1", "B2"])
        var form = MultipartForm(boundarySource: source.next)
        #expect(form.boundary == "B1")
        form.file("f", data: content, filename: "dump.bin")
        #expect(form.boundary == "B2")
        #expect(try form.onlyPart()?.data == content)
    }

    // O-12: a source without another boundary is an error, not a broken body.
    @Test func aBoundaryInsideAPartThatStaysIsAnError() {
        var form = MultipartForm(boundarySource: { "B1" })
        form.field("f", "x\r\n--B1--\r\ny")
        #expect(error { try form.encoded() }?.kind == .boundary)
        #expect(error { try form.validate() }?.kind == .boundary)
    }

    @Test func aBoundaryInsideAnEarlierPartIsNotTaken() throws {
        let source = Boundaries(["B1", "B2", "B3"])
        var form = MultipartForm(boundarySource: source.next)
        form.field("a", "B2")
        form.field("b", "B1")
        #expect(form.boundary == "B3")
        #expect(
            try MultipartPart.parts(of: form.encoded(), contentType: form.contentType).count == 2
        )
    }

    @Test(arguments: ["", "é", "a\r\nb", "a ", String(repeating: "x", count: 71)])
    func anIllegalBoundaryIsAnError(boundary: String) {
        let form = MultipartForm(boundarySource: { boundary })
        #expect(error { try form.encoded() }?.kind == .boundary)
    }

    @Test func aCopyChangesAlone() throws {
        var form = MultipartForm()
        form.field("a", "1")
        let before = try form.encoded()
        var copy = form
        copy.field("b", "2")
        #expect(try form.encoded() == before)
        #expect(try copy.encoded() != before)
    }

    // O-19: one text part and a file of 2.3 MiB.
    @Test func theLengthIsThatOfTheBytes() async throws {
        let directory = try Folder()
        var form = MultipartForm()
        form.field("a", "1")
        form.file("f", url: try directory.file("f.bin", pattern(2_411_725)))
        let sent = try await form.chunks.reduce(0) { $0 + Int64($1.count) }
        #expect(form.contentLength == sent)
        #expect(sent > 2_411_725)
    }

    @Test func theLengthOfAFileBeyond4GiBIsKnownWithoutReading() throws {
        let directory = try Folder()
        var form = MultipartForm.fixed
        form.file("f", data: Data(), filename: "big.bin")
        let rest = try #require(form.contentLength)
        form = .fixed
        form.file("f", url: try directory.sparseFile("big.bin", size: 1 << 42))
        #expect(form.contentLength == rest + (1 << 42))
    }

    @Test func whatCannotBeMeasuredHasNoLength() throws {
        let directory = try Folder()
        let pipe = try directory.pipe("pipe")
        for url in [pipe, directory.url, directory.url.appendingPathComponent("nope.bin")] {
            var form = MultipartForm()
            form.file("f", url: url)
            #expect(form.contentLength == nil)
        }
    }

    @Test func theTypeIsGuessedFromTheFileNameElseFromTheURL() throws {
        let directory = try Folder()
        let url = try directory.file("picture.png", Data())
        #expect(try type { $0.file("f", url: url) } == "image/png")
        #expect(try type { $0.file("f", url: url, filename: "a.pdf") } == "application/pdf")
        #expect(try type { $0.file("f", url: url, filename: "a") } == "application/octet-stream")
        #expect(try type { $0.file("f", url: url, mime: "text/x") } == "text/x")
        #expect(try type { $0.file("f", data: Data(), filename: "a.svg") } == "image/svg+xml")
        #expect(try type { $0.part("f", data: Data()) } == nil)
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\rb", "a\0b"])
    func controlsInATypeAreAnErrorWhenTheFormIsRead(text: String) throws {
        let directory = try Folder()
        var form = MultipartForm()
        form.file("f", data: Data(), filename: "f", mime: text)
        #expect(error { try form.encoded() }?.kind == .header)
        #expect(
            error { try form.write(to: directory.url.appendingPathComponent("out")) }?.kind
                == .header
        )
        #expect(try directory.entries == [])
        form = MultipartForm()
        form.part("f", data: Data(), headers: ["X-A": text])
        #expect(error { try form.encoded() }?.kind == .header)
    }

    @Test func NULInANameIsAnErrorWhenTheFormIsRead() async {
        var form = MultipartForm()
        form.field("a\0b", "1")
        #expect(error { try form.encoded() }?.kind == .header)
        await #expect(throws: MultipartError.self) { try await form.chunks }
        form = MultipartForm()
        form.file("a", data: Data(), filename: "\0")
        #expect(error { try form.encoded() }?.kind == .header)
    }

    @Test(arguments: ["", "X A", "X:A", "X\r\nA", "é", "Content-Type", "content-disposition"])
    func anIllegalHeaderNameIsAnErrorWhenTheFormIsRead(name: String) {
        var form = MultipartForm()
        form.part("f", data: Data(), headers: [name: "1"])
        #expect(error { try form.encoded() }?.kind == .header)
    }

    @Test func theDescriptionShowsNoValue() {
        var form = MultipartForm.fixed
        form.field("password", "secret")
        #expect(form.description == "multipart/form-data (parts: 1, 73 bytes)")
    }

    private func type(_ add: (inout MultipartForm) -> Void) throws -> String? {
        var form = MultipartForm()
        add(&form)
        return try #require(try form.onlyPart()).head.contentType
    }

    private func error(_ body: () throws -> some Any) -> MultipartError? {
        #expect(throws: MultipartError.self) { _ = try body() }
    }
}

/// Gives out boundaries in order, the last one for ever.
private final class Boundaries: @unchecked Sendable {
    private let lock = NSLock()
    private var boundaries: [String]

    init(_ boundaries: [String]) {
        self.boundaries = boundaries
    }

    @Sendable func next() -> String {
        lock.lock()
        defer { lock.unlock() }
        return boundaries.count > 1 ? boundaries.removeFirst() : boundaries[0]
    }
}
