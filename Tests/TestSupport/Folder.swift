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

    /// Returns how many descriptors of this process are open on a file.
    public func openDescriptors(on name: String) -> Int {
        var wanted = stat()
        guard stat(url.appendingPathComponent(name).path, &wanted) == 0 else { return -1 }
        return (0..<Int32(1_024)).count { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_dev == wanted.st_dev
                && status.st_ino == wanted.st_ino
        }
    }
}
