// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension Folder {
    /// The names of what is in it.
    var entries: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// Makes a file of zeros without taking room on the disk.
    func sparseFile(_ name: String, size: Int64) throws -> URL {
        let file = try file(name, Data())
        try #require(truncate(file.path, off_t(size)) == 0)
        return file
    }

    func pipe(_ name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try #require(mkfifo(file.path, 0o600) == 0)
        return file
    }
}

#if os(Linux)
/// Returns the most memory in KiB that this process has had resident at one time.
func peakKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return try #require(line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
}

/// Counts how often a file is opened, by whom it may be.
final class OpenWatch {
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))

    init(_ file: URL) throws {
        // Closes too: the kernel makes one of two equal events that follow each other.
        let watch = inotify_add_watch(descriptor, file.path, UInt32(IN_OPEN | IN_CLOSE))
        try #require(watch >= 0)
    }

    deinit {
        close(descriptor)
    }

    func opensSinceLast() -> Int {
        var events = [UInt32](repeating: 0, count: 4_096)
        let count = events.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        // Four words an event, as there are no names below a file; the mask is the second.
        return stride(from: 1, to: max(count, 0) / 4, by: 4)
            .count { events[$0] & UInt32(IN_OPEN) != 0 }
    }
}
#endif
