// SPDX-License-Identifier: MIT

import Foundation

/// A file that appears at its place when it is complete, and not at all otherwise.
///
/// The bytes go to a temporary file beside it, which is renamed at the end and removed on every
/// other way out. A device or pipe is written in place: a rename would replace it.
final class FileWriter {
    private let descriptor: Int32
    private let path: String
    private let destination: [CChar]
    private var temporary: [CChar]?
    private var isOpen = true

    /// Creates the temporary file, readable by its owner alone: forms hold secrets.
    ///
    /// - Throws: `MultipartError` with the kind `destination`.
    init(_ url: URL) throws(MultipartError) {
        let url = url.isFileURL ? url.resolvingSymlinksInPath() : url
        path = FileSource.shownPath(url)
        destination = try FileSource.cPath(url, .destination)

        var status = stat()
        let exists = stat(destination, &status) == 0
        let type = status.st_mode & S_IFMT
        if exists, type == S_IFDIR {
            throw MultipartError(.destination, code: EISDIR, path: path)
        } else if exists, type != S_IFREG {
            descriptor = open(destination, O_WRONLY | O_CLOEXEC)
        } else {
            let name = ".duet-" + Boundary.randomText(length: 16)
            let beside = url.deletingLastPathComponent().appendingPathComponent(name)
            let temporary = try FileSource.cPath(beside, .destination)
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 { self.temporary = temporary }
        }
        try MultipartError.check(descriptor >= 0, .destination, path)
    }

    deinit {
        if isOpen, descriptor >= 0 { close(descriptor) }
        if let temporary { unlink(temporary) }
    }

    /// Writes all of these bytes.
    func put(_ bytes: Data) throws(MultipartError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try MultipartError.check(written > 0 || errno == EINTR, .destination, path)
            rest = rest.dropFirst(max(written, 0))
        }
    }

    /// Puts the file in its place; a full disk may show up here only.
    func finish() throws(MultipartError) {
        isOpen = false
        try MultipartError.check(close(descriptor) == 0, .destination, path)
        guard let temporary else { return }
        try MultipartError.check(rename(temporary, destination) == 0, .destination, path)
        self.temporary = nil
    }
}
