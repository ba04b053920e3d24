// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPMultipart

struct FileSourceInternalTests {
    private let directory: Folder

    init() throws {
        directory = try Folder()
    }

    @Test func theSizeIsThatWhenTheFileWasAdded() throws {
        let url = try directory.file("f", pattern(10))
        let file = FileSource(url)
        #expect(try file.validatedSize() == 10)
        try pattern(12).write(to: url)
        #expect(file.size == 10)
        let thrown = #expect(throws: MultipartError.self) { try file.validatedSize() }
        #expect(thrown?.kind == .fileChanged)
        #expect(thrown?.reason == "it had 10 bytes and has 12 bytes")
    }

    @Test func aFileThatCameLaterHasItsSizeNow() throws {
        let file = FileSource(directory.url.appendingPathComponent("f"))
        #expect(file.size == nil)
        _ = try directory.file("f", pattern(12))
        #expect(file.size == 12)
        #expect(try file.validatedSize() == 12)
    }

    @Test func aPipeHasNoSizeAndIsNoError() throws {
        #expect(try FileSource(try directory.pipe("p")).validatedSize() == nil)
    }

    @Test func aFileThatBecameAPipeHasChanged() throws {
        let url = try directory.file("f", pattern(10))
        let file = FileSource(url)
        try FileManager.default.removeItem(at: url)
        _ = try directory.pipe("f")
        #expect(throws: MultipartError.self) { try file.validatedSize() }
    }

    @Test func aURLWithoutATextPathIsShownWhole() throws {
        let url = try #require(URL(string: "file:///tmp/%FF"))
        #expect(
            FileSource(url).path == "file:///tmp/%FF" || FileSource(url).path.hasPrefix("/tmp/")
        )
    }
}
