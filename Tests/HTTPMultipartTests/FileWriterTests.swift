// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart
import TestSupport
import Testing

struct FileWriterTests {
    private let directory: Folder

    init() throws {
        directory = try Folder()
    }

    #if os(Linux)
    // A device is written in place. Root, who could replace the system's, gets one of its own.
    @Test func aFullDiskIsENOSPC() throws {
        var full = URL(fileURLWithPath: "/dev/full")
        if getuid() == 0 {
            full = directory.url.appendingPathComponent("full")
            guard mknod(full.path, S_IFCHR | 0o600, 0x107) == 0, access(full.path, W_OK) == 0 else {
                try Test.cancel("devices cannot be made here")
            }
        }
        let thrown = #expect(throws: MultipartError.self) { try MultipartForm().write(to: full) }
        #expect(thrown?.kind == .destination)
        #expect(thrown?.code == ENOSPC)
        #expect(thrown?.path == full.path)
        var status = stat()
        #expect(stat(full.path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    // A disk of 256 KiB. Where none may be mounted, the limit below says much the same.
    @Test func aDiskThatFillsIsENOSPCAndLeavesNoPartialFile() throws {
        let disk = directory.url.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
        guard mount("tmpfs", disk.path, "tmpfs", 0, "size=256k") == 0 else {
            try Test.cancel("disks cannot be mounted here")
        }
        defer { umount(disk.path) }
        var form = MultipartForm()
        form.file("f", data: Data(count: 500_000), filename: "f")
        let out = disk.appendingPathComponent("out")
        for old in [nil, Data("old".utf8)] {
            try old?.write(to: out)
            let thrown = #expect(throws: MultipartError.self) { try form.write(to: out) }
            #expect(thrown?.kind == .destination)
            #expect(thrown?.code == ENOSPC)
            #expect(thrown?.description == "cannot write \(out.path): No space left on device")
            let entries = try FileManager.default.contentsOfDirectory(atPath: disk.path)
            #expect(entries == (old == nil ? [] : ["out"]))
            #expect(FileManager.default.contents(atPath: out.path) == old)
        }
    }
    #endif

    #if os(Linux) || os(macOS)
    // A limit on the size of files stands in for a full disk: the write fails half way.
    @Test func aWriteThatFailsHalfWayLeavesNoFile() async {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let directory = try Folder()
                var form = MultipartForm()
                form.file("f", data: Data(count: 500_000), filename: "f")
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
                #if os(Linux)
                try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
                #else
                try #require(setrlimit(RLIMIT_FSIZE, &limit) == 0)
                #endif
                let out = directory.url.appendingPathComponent("out")
                let thrown = #expect(throws: MultipartError.self) { try form.write(to: out) }
                try #require(thrown?.code == EFBIG)
                try #require(try directory.entries == [])
            }
        }
    }
    #endif

    @Test func aPlaceThatCannotBeWrittenIsAnErrorThatNamesIt() throws {
        let cases: [(URL, Int32?)] = [
            (directory.url, EISDIR),
            (directory.url.appendingPathComponent("no/such"), ENOENT),
            (try #require(URL(string: "https://example.org/out")), nil),
        ]
        for (url, code) in cases {
            let thrown = #expect(throws: MultipartError.self) { try MultipartForm().write(to: url) }
            #expect(thrown?.kind == .destination)
            #expect(thrown?.code == code)
            #expect(thrown?.path == url.path)
        }
        #expect(try directory.entries == [])
    }

    @Test func theFileIsItsOwnersAlone() throws {
        let out = directory.url.appendingPathComponent("out")
        try MultipartForm().write(to: out)
        var status = stat()
        try #require(stat(out.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func aLinkStaysALink() throws {
        let target = try directory.file("target", Data())
        let link = directory.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        try MultipartForm.fixed.write(to: link)
        #expect(try Data(contentsOf: target) == Data("--XX--\r\n".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    }

    @Test func theLongestNameHasRoomForItsTemporaryFile() throws {
        let out = directory.url.appendingPathComponent(String(repeating: "n", count: 255))
        try MultipartForm.fixed.write(to: out)
        #expect(try Data(contentsOf: out) == Data("--XX--\r\n".utf8))
    }
}
