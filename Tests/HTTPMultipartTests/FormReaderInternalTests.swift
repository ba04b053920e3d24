// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPMultipart

struct FormReaderInternalTests {
    private let directory: Folder
    private let form: MultipartForm

    init() throws {
        directory = try Folder()
        var form = MultipartForm.fixed
        form.field("a", "1")
        form.file("f", url: try directory.file("f", pattern(500)))
        form.file("e", url: try directory.file("e", Data()))
        form.file("d", data: pattern(500)[100...], filename: "d")
        self.form = form
    }

    @Test(arguments: [1, 2, 7, 64, 1_000, 100_000])
    func memoryOfAnySizeIsFilledWithTheSameBytes(size: Int) throws {
        let reader = FormReader(form)
        var body = Data()
        while !reader.isFinished {
            var memory = Data(count: size)
            let count = try memory.withUnsafeMutableBytes { try reader.fill($0) }
            #expect(count > 0)
            body.append(memory.prefix(count))
        }
        #expect(body == (try form.encoded()))
        #expect(Int64(body.count) == form.contentLength)
    }

    @Test func aMeasuredBodyIsOneChunkWhenAskedFor() throws {
        let reader = FormReader(form)
        let chunk = try reader.chunk(upTo: .max)
        #expect(chunk.map { Int64($0.count) } == form.contentLength)
        #expect(try reader.chunk() == nil)
    }

    // A short chunk comes first, so that reads of the file stay aligned to pages.
    @Test func aLongFileIsReadAtMultiplesOfTheChunkSize() throws {
        var form = form
        form.file("l", url: try directory.file("l", pattern(200_000)))
        let reader = FormReader(form)
        let sizes = try (0..<5).map { _ in try reader.chunk()?.count }
        #expect(sizes[1...3] == [65_536, 65_536, 65_536])
        #expect(reader.isFinished)
    }

    @Test func aPassIsOverAfterAnError() throws {
        var form = form
        form.file("x", url: directory.url.appendingPathComponent("nope"))
        let reader = FormReader(form)
        #expect(throws: MultipartError.self) { try reader.chunk() }
        #expect(reader.isFinished)
        #expect(try reader.chunk() == nil)
    }
}
