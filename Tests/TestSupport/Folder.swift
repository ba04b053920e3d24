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
        let path = url.appendingPathComponent(name).path
        while Self.isOpen(path), !Task.isCancelled { await Task.yield() }
    }

    private static func isOpen(_ path: String) -> Bool {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return false }
        return (0..<Int32(1_024)).contains { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_dev == wanted.st_dev
                && status.st_ino == wanted.st_ino
        }
    }
}
