// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct MultipartFormReadingTests {
    private let directory: Folder

    init() throws {
        directory = try Folder()
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func chunksHoldAtMost64KiBAndMakeUpTheBody(size: Int) async throws {
        var form = MultipartForm()
        form.field("a", "1")
        form.file("d", data: pattern(size), filename: "d")
        form.file("u", url: try directory.file("u", pattern(size)))
        let chunks = try await form.chunks
        #expect(chunks.allSatisfy { (1...65_536).contains($0.count) && $0.startIndex == 0 })
        #expect(chunks.reduce(Data(), +) == (try form.encoded()))
        #expect(chunks.count <= 3 + 2 * size / 65_536 + 1)
    }

    @Test func aSmallFormIsOneChunk() async throws {
        var form = MultipartForm()
        for index in 0..<20 {
            form.field("field \(index)", "value")
            form.file("f", url: try directory.file("\(index)", pattern(100)))
        }
        #expect(try await form.chunks.count == 1)
    }

    @Test func aFormIsReadAnyNumberOfTimes() async throws {
        var form = MultipartForm()
        form.file("f", url: try directory.file("f", pattern(150_000)))
        let first = try await form.chunks
        var halfway = form.makeAsyncIterator()
        #expect(try await halfway.next() == first[0])
        #expect(try await form.chunks == first)
        #expect(try await halfway.next() == first[1])
    }

    @Test func theEndStaysTheEnd() async throws {
        var iterator = MultipartForm().makeAsyncIterator()
        #expect(try await iterator.next()?.isEmpty == false)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    // The file that was opened is read on, although its name is given to another.
    @Test func aFileIsOpenedOnceAPass() async throws {
        let file = try directory.file("f", pattern(200_000))
        var form = MultipartForm()
        form.file("f", url: file)
        let expected = try form.encoded()
        var iterator = form.makeAsyncIterator()
        var body = Data()
        while body.count < 65_536, let chunk = try await iterator.next() { body.append(chunk) }
        try FileManager.default.removeItem(at: file)
        try Data(count: 200_000).write(to: file)
        while let chunk = try await iterator.next() { body.append(chunk) }
        #expect(body == expected)
    }

    #if os(Linux)
    // Neither its length nor a boundary that is not in it is found by reading a file.
    @Test func onlyAPassOpensAFile() async throws {
        let file = try directory.file("f", pattern(200_000))
        let watch = try OpenWatch(file)
        var form = MultipartForm()
        form.file("f", url: file)
        form.field("a", form.boundary)
        #expect(form.contentLength != nil)
        try form.validate()
        #expect(watch.opensSinceLast() == 0)
        _ = try await form.chunks
        #expect(watch.opensSinceLast() == 1)
        _ = try form.encoded()
        #expect(watch.opensSinceLast() == 1)
        try form.write(to: directory.url.appendingPathComponent("out"))
        #expect(watch.opensSinceLast() == 1)
    }
    #endif

    @Test func aFileIsClosedAtItsEnd() async throws {
        let file = try directory.file("f", pattern(200_000))
        var form = MultipartForm()
        form.file("f", url: file)
        form.file("rest", data: pattern(200_000), filename: "rest")
        var iterator = form.makeAsyncIterator()
        var counts: [Int] = []
        while try await iterator.next() != nil { counts.append(openDescriptors(on: file)) }
        #expect(counts.contains(1))
        #expect(counts.allSatisfy { $0 <= 1 })
        #expect(counts.last == 0)
    }

    @Test func aFileIsClosedWhenTheIteratorIsDropped() async throws {
        let file = try directory.file("f", pattern(200_000))
        var form = MultipartForm()
        form.file("f", url: file)
        for try await chunk in form where chunk.count == 65_536 {
            #expect(openDescriptors(on: file) == 1)
            break
        }
        #expect(openDescriptors(on: file) == 0)
    }

    @Test func aFileIsClosedAfterAnError() async throws {
        let file = try directory.file("f", pattern(200_000))
        var form = MultipartForm()
        form.file("f", url: file)
        var iterator = form.makeAsyncIterator()
        while try await iterator.next()?.count != 65_536 {}
        try #require(truncate(file.path, 70_000) == 0)
        await #expect(throws: MultipartError.self) { while try await iterator.next() != nil {} }
        #expect(openDescriptors(on: file) == 0)
        #expect(try await iterator.next() == nil)
    }

    // O-16: an error that names the path, before the first byte.
    @Test func aMissingFileIsAnErrorBeforeTheFirstByte() async throws {
        var form = MultipartForm()
        form.file("a", data: pattern(200_000), filename: "a")
        form.file("f", url: directory.url.appendingPathComponent("nope.bin"))
        var iterator = form.makeAsyncIterator()
        let thrown = await #expect(throws: MultipartError.self) { try await iterator.next() }
        #expect(thrown?.kind == .file)
        #expect(thrown?.code == ENOENT)
        #expect(thrown?.path == directory.url.appendingPathComponent("nope.bin").path)
        #expect(error { try form.validate() } == thrown)
        #expect(error { try form.encoded() } == thrown)
        #expect(try directory.entries == [])
    }

    @Test func whatIsNoReadableFileIsAnErrorWithItsReason() throws {
        let file = try directory.file("f", Data())
        let loop = directory.url.appendingPathComponent("loop")
        try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
        let cases: [(URL, Int32?)] = [
            (directory.url, EISDIR),
            (file.appendingPathComponent("below"), ENOTDIR),
            (loop, ELOOP),
            (
                directory.url.appendingPathComponent(String(repeating: "x", count: 300)),
                ENAMETOOLONG
            ),
            (try #require(URL(string: "https://example.org/f")), nil),
        ]
        for (url, code) in cases {
            var form = MultipartForm()
            form.file("f", url: url)
            let thrown = error { try form.validate() }
            #expect(thrown?.kind == .file)
            #expect(thrown?.code == code)
            #expect(thrown?.path == url.path)
            #expect(error { try form.encoded() } == thrown)
        }
    }

    #if os(Linux) || os(macOS)
    // Root reads every file, so a process of its own becomes somebody else.
    @Test func aFileWithoutPermissionIsAnError() async throws {
        let file = try directory.file("f", Data())
        try #require(chmod(file.path, 0) == 0)
        await inTurn {
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                try #require(getuid() != 0 || setuid(65_534) == 0)
                var form = MultipartForm()
                form.file("f", url: URL(fileURLWithPath: path))
                let thrown = #expect(throws: MultipartError.self) { try form.encoded() }
                try #require(thrown?.description == "cannot read \(path): Permission denied")
                try #require(thrown?.code == EACCES)
            }
        }
    }
    #endif

    // O-18, unit form: build, truncate, read.
    @Test func aFileThatShrankIsAnError() throws {
        let file = try directory.file("f", pattern(1_048_576))
        var form = MultipartForm()
        form.file("f", url: file)
        let length = form.contentLength
        try #require(truncate(file.path, 307_200) == 0)
        let thrown = error { try form.encoded() }
        #expect(thrown?.kind == .fileChanged)
        #expect(thrown?.path == file.path)
        #expect(form.contentLength == length)
    }

    // O-18: the pass ends in an error before the body is complete.
    @Test(arguments: [307_200, 1_048_575, 1_048_577, 2_000_000])
    func aFileThatChangesSizeWhileItIsReadIsAnError(size: Int) async throws {
        let file = try directory.file("f", pattern(1_048_576))
        var form = MultipartForm()
        form.file("f", url: file)
        var iterator = form.makeAsyncIterator()
        var count = 0
        while count < 65_536 { count += try await iterator.next()?.count ?? 0 }
        try #require(truncate(file.path, off_t(size)) == 0)
        let thrown = await #expect(throws: MultipartError.self) {
            while let chunk = try await iterator.next() { count += chunk.count }
        }
        #expect(thrown?.kind == .fileChanged)
        #expect(thrown?.path == file.path)
        #expect(Int64(count) < (form.contentLength ?? 0))
    }

    @Test func aPipeIsReadToItsEnd() async throws {
        let pipe = try directory.pipe("pipe")
        var form = MultipartForm.fixed
        form.file("f", url: pipe)
        form.field("after", "1")
        let content = pattern(150_000)
        Thread.detachNewThread { try? content.write(to: pipe) }
        let body = try form.encoded()
        let parts = try MultipartPart.parts(of: body, contentType: form.contentType)
        #expect(parts.map(\.data) == [content, Data("1".utf8)])
    }

    @Test func aFileBeyond4GiBIsReadWhole() async throws {
        let size: Int64 = 4_294_967_297
        var form = MultipartForm()
        form.file("f", url: try directory.sparseFile("big", size: size))
        var count: Int64 = 0
        for try await chunk in form {
            count += Int64(chunk.count)
            // A file never makes a task wait: others would get no turn on this thread.
            await Task.yield()
        }
        #expect(count == form.contentLength)
        #expect(count > size)
    }

    #if os(Linux)
    @Test func memoryStaysFlatHoweverLongAFileIs() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let directory = try Folder()
                var form = MultipartForm()
                form.file("f", url: try directory.sparseFile("big", size: 1 << 29))
                for try await _ in form { break }
                let before = try peakKilobytes()
                for try await _ in form {}
                try form.write(to: URL(fileURLWithPath: "/dev/null"))
                try #require(try peakKilobytes() < before + 4_096)
            }
        }
    }
    #endif

    @Test func aCancelledTaskReadsNoMoreAndClosesItsFile() async throws {
        let file = try directory.sparseFile("big", size: 1 << 42)
        var form = MultipartForm()
        form.file("f", url: file)
        let (started, hasBytes) = AsyncStream<Void>.makeStream()
        let reading = Task { [form] in
            for try await _ in form {
                hasBytes.yield()
                // As above.
                await Task.yield()
            }
        }
        for await _ in started { break }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(openDescriptors(on: file) == 0)
    }

    @Test func aBodyIsWrittenToAFile() throws {
        var form = MultipartForm()
        form.file("f", url: try directory.file("f", pattern(200_000)))
        let out = try directory.file("out", Data("old".utf8))
        try form.write(to: out)
        #expect(try Data(contentsOf: out) == form.encoded())
        #expect(try directory.entries == ["f", "out"])
    }

    // O-17: what fails leaves nothing.
    @Test func aFailedWriteKeepsTheOldFileAndLeavesNothing() async throws {
        let file = try directory.file("f", pattern(100))
        var form = MultipartForm()
        form.file("f", url: file)
        form.file("g", url: directory.url.appendingPathComponent("nope"))
        let out = try directory.file("out", Data("old".utf8))
        #expect(error { try form.write(to: out) }?.kind == .file)
        #expect(try Data(contentsOf: out) == Data("old".utf8))
        #expect(try directory.entries == ["f", "out"])
    }

    private func error(_ body: () throws -> some Any) -> MultipartError? {
        #expect(throws: MultipartError.self) { _ = try body() }
    }
}
