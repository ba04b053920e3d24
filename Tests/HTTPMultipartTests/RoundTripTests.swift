// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct RoundTripTests {
    private struct Sample: Sendable {
        let name: String
        let filename: String?
        let data: Data
    }

    private static let samples = [
        Sample(name: "", filename: nil, data: Data()),
        Sample(name: "a", filename: "", data: Data("1".utf8)),
        Sample(name: "quote\"", filename: "a\";b\".txt", data: Data("\r\n".utf8)),
        Sample(name: "back\\", filename: "C:\\a\\", data: Data("\r\n\r\n".utf8)),
        Sample(name: "; filename=\"x\"", filename: "\\\"; name=\"y", data: Data("\r".utf8)),
        Sample(name: "line\r\nend", filename: "\r\n", data: Data("\r\n--X\r\n--XY\r\n--\r\n".utf8)),
        Sample(name: "名前 😀", filename: "файл 名.txt", data: Data("\r\n--".utf8)),
        Sample(name: "%", filename: "100%.txt", data: Data([0, 0xFF, 0x0D, 0x0D, 0x0A, 0x0A])),
    ]

    private var form: MultipartForm {
        var form = MultipartForm.fixed
        for sample in RoundTripTests.samples {
            if let filename = sample.filename {
                form.file(sample.name, data: sample.data, filename: filename)
            } else {
                form.part(sample.name, data: sample.data)
            }
        }
        return form
    }

    @Test func everySplitGivesTheSameParts() throws {
        let body = try form.encoded()
        for offset in 0...body.count {
            let parts = try ReceivedPart.parts(of: [body[..<offset], body[offset...]])
            try expectSamples(parts, "split at \(offset)")
        }
    }

    @Test func singleBytesGiveTheSameParts() throws {
        let bytes = try form.encoded().map { Data([$0]) }
        try expectSamples(try ReceivedPart.parts(of: bytes), "single bytes")
    }

    @Test func aFileOfManyChunksComesBack() async throws {
        let directory = try Folder()
        let content = pattern(300_000)
        var form = MultipartForm()
        form.file("f", url: try directory.file("a.bin", content))
        let parts = try ReceivedPart.parts(of: try await form.chunks, contentType: form.contentType)
        #expect(parts.map(\.data) == [content])
    }

    private func expectSamples(_ parts: [ReceivedPart], _ comment: Comment) throws {
        let samples = RoundTripTests.samples
        #expect(parts.map(\.head.name) == samples.map(\.name), comment)
        #expect(parts.map(\.head.filename) == samples.map(\.filename), comment)
        #expect(parts.map(\.data) == samples.map(\.data), comment)
        #expect(!parts.map(\.hasEnded).contains(false), comment)
    }
}
