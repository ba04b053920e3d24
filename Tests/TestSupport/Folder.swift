// SPDX-License-Identifier: MIT

public import Foundation

/// A folder in the temporary directory that goes with its last owner.
public final class Folder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files, hidden ones too.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    public func data(_ name: String) -> Data? {
        FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
    }

    /// Writes a file and returns its URL.
    public func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }

    /// Waits until no descriptor of this process is open on a file, as long as the test may take.
    public func waitUntilClosed(_ name: String) async {
        let file = url.appendingPathComponent(name)
        while openDescriptors(on: file) > 0, !Task.isCancelled { await Task.yield() }
    }
}

/// Returns how many descriptors of this process are open on a file; 0 where there is no file.
public func openDescriptors(on file: URL) -> Int {
    var wanted = stat()
    guard stat(file.path, &wanted) == 0 else { return 0 }
    // Far more than the tests that run at the same time have open, which are some thousands.
    return (0..<Int32(65_536)).count { descriptor in
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_dev == wanted.st_dev
            && status.st_ino == wanted.st_ino
    }
}
