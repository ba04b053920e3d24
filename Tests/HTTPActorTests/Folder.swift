// SPDX-License-Identifier: MIT

import Foundation

/// A folder in the temporary directory that goes with the value.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files, hidden ones too.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    func data(_ name: String) -> Data? {
        FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
    }

    /// Writes a file and returns its URL.
    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }

    /// Bytes that differ from place to place, so that a gap or a repeat shows.
    static func pattern(_ count: Int) -> Data {
        // A prime length, which no buffer has; repeated, since a loop over each byte takes seconds.
        let block = Data((0..<8_191).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return Data(data.prefix(count))
    }
}
