// SPDX-License-Identifier: MIT

import Foundation

/// A file that a part sends, with the size it had when it was added.
struct FileSource: Sendable {
    let url: URL
    /// The size in bytes, nil when the file could not be measured then.
    private let addedSize: Int64?

    init(_ url: URL) {
        self.url = url
        self.addedSize = (try? FileSource.size(of: url)) ?? nil
    }

    /// The path as errors show it.
    var path: String { FileSource.shownPath(url) }

    /// The size in bytes that a pass will send, nil when only reading can tell.
    var size: Int64? { addedSize ?? (try? FileSource.size(of: url)) ?? nil }

    /// Returns the size in bytes of a file that can be read, nil for a pipe or a device.
    ///
    /// - Throws: `MultipartError` when the file is missing, unreadable, a directory, or has
    ///   another size than when it was added.
    func validatedSize() throws(MultipartError) -> Int64? {
        let size = try FileSource.size(of: url)
        try FileSource.expect(addedSize, size, path: path)
        return size
    }

    static func expect(_ expected: Int64?, _ size: Int64?, path: String) throws(MultipartError) {
        guard let expected, size != expected else { return }
        let now = size.map { "\($0) bytes" } ?? "no size"
        throw MultipartError(.fileChanged, "it had \(expected) bytes and has \(now)", path: path)
    }

    /// Returns the size in a status, nil when the file is neither a file nor a directory.
    static func size(in status: stat, path: String) throws(MultipartError) -> Int64? {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw MultipartError(.file, code: EISDIR, path: path)
        case S_IFREG: Int64(status.st_size)
        default: nil
        }
    }

    static func shownPath(_ url: URL) -> String {
        url.path.isEmpty ? url.absoluteString : url.path
    }

    /// Returns the path as the C functions take it.
    static func cPath(_ url: URL, _ kind: MultipartError.Kind) throws(MultipartError) -> [CChar] {
        let path = url.withUnsafeFileSystemRepresentation { path in
            path.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
        }
        guard url.isFileURL, let path else {
            throw MultipartError(kind, "not a file URL", path: shownPath(url))
        }
        return path
    }

    private static func size(of url: URL) throws(MultipartError) -> Int64? {
        let shown = shownPath(url)
        let path = try cPath(url, .file)
        var status = stat()
        try MultipartError.check(stat(path, &status) == 0, .file, shown)
        let size = try size(in: status, path: shown)
        try MultipartError.check(access(path, R_OK) == 0, .file, shown)
        return size
    }
}
