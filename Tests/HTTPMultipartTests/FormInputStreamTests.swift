// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct FormInputStreamTests {
    private let directory: Folder

    init() throws {
        directory = try Folder()
    }

    @Test(arguments: [1, 100, 4_096, 100_000])
    func aStreamGivesTheBody(size: Int) throws {
        var form = MultipartForm()
        form.field("a", "1")
        form.file("f", url: try directory.file("f", pattern(10_000)))
        let stream = form.inputStream()
        #expect(stream.streamStatus == .notOpen)
        stream.open()
        #expect(stream.streamStatus == .open)
        var body = Data()
        var buffer = [UInt8](repeating: 0, count: size)
        while stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: size)
            #expect(count > 0)
            body.append(contentsOf: buffer.prefix(max(count, 0)))
        }
        #expect(body == (try form.encoded()))
        #expect(stream.streamStatus == .atEnd)
        #expect(stream.read(&buffer, maxLength: size) == 0)
        #expect(stream.streamError == nil)
        stream.close()
        #expect(stream.streamStatus == .closed)
        #expect(stream.read(&buffer, maxLength: size) == -1)
    }

    @Test func aStreamReportsTheErrorOfAFile() throws {
        var form = MultipartForm()
        form.file("f", url: directory.url.appendingPathComponent("nope"))
        let stream = form.inputStream()
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(stream.read(&buffer, maxLength: 100) == -1)
        #expect(stream.streamStatus == .error)
        #expect((stream.streamError as? MultipartError)?.code == ENOENT)
        #expect(!stream.hasBytesAvailable)
        #expect(stream.read(&buffer, maxLength: 100) == -1)
    }

    @Test func aStreamThatIsNotOpenGivesNothing() {
        let stream = MultipartForm().inputStream()
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(!stream.hasBytesAvailable)
        #expect(stream.read(&buffer, maxLength: 100) == -1)
    }

    @Test func closingAStreamClosesItsFile() throws {
        let file = try directory.file("f", pattern(10_000))
        var form = MultipartForm()
        form.file("f", url: file)
        let stream = form.inputStream()
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 1_000)
        _ = stream.read(&buffer, maxLength: 1_000)
        _ = stream.read(&buffer, maxLength: 1_000)
        #expect(openDescriptors(on: file) == 1)
        stream.close()
        #expect(openDescriptors(on: file) == 0)
    }
}
