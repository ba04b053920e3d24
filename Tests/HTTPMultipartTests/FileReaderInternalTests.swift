// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPMultipart

struct FileReaderInternalTests {
    private let directory: Folder

    init() throws {
        directory = try Folder()
    }

    @Test func theEndIsKnownWithTheLastByte() throws {
        let file = FileSource(try directory.file("f", pattern(10)))
        let reader = try FileReader(file, expected: 10)
        #expect(try read(reader, 6) == pattern(10).prefix(6))
        #expect(!reader.isAtEnd)
        #expect(reader.remaining == 4)
        #expect(try read(reader, 6) == pattern(10).suffix(4))
        #expect(reader.isAtEnd)
    }

    @Test func anEmptyFileIsAtItsEndAfterOneRead() throws {
        let reader = try FileReader(FileSource(try directory.file("f", Data())), expected: 0)
        #expect(try read(reader, 6) == Data())
        #expect(reader.isAtEnd)
    }

    @Test func aFileOfAnotherSizeIsNotOpened() throws {
        let file = try directory.file("f", pattern(10))
        let thrown = #expect(throws: MultipartError.self) {
            try FileReader(FileSource(file), expected: 11)
        }
        #expect(thrown?.kind == .fileChanged)
        #expect(openDescriptors(on: file) == 0)
    }

    @Test func aFileThatHoldsMoreThanItsSizeIsAnError() throws {
        let file = try directory.file("f", pattern(10))
        let reader = try FileReader(FileSource(file), expected: 10)
        let handle = try FileHandle(forWritingTo: file)
        handle.seekToEndOfFile()
        handle.write(Data([0]))
        let thrown = #expect(throws: MultipartError.self) { try read(reader, 20) }
        #expect(thrown?.kind == .fileChanged)
    }

    #if os(Linux)
    @Test func aFileThatSaysItIsEmptyAndIsNotIsAnError() throws {
        let file = FileSource(URL(fileURLWithPath: "/proc/self/status"))
        #expect(file.size == 0)
        let reader = try FileReader(file, expected: 0)
        #expect(throws: MultipartError.self) { try read(reader, 20) }
    }
    #endif

    private func read(_ reader: FileReader, _ count: Int) throws -> Data {
        var data = Data(count: count)
        let read = try data.withUnsafeMutableBytes { try reader.next(into: $0) }
        return data.prefix(read)
    }
}
