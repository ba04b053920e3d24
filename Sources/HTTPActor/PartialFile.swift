// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// A file that is being written in the folder of its destination, which it replaces when it is whole.
///
/// It goes with this value, unless it was moved or has a record of what it is a part of.
final class PartialFile {
    private let destination: URL
    private let url: URL
    private let recordURL: URL
    private let descriptor: Int32
    /// How many bytes are in it.
    private(set) var size: Int64 = 0
    /// What the bytes are a part of; nil: they are not kept.
    private(set) var record: PartRecord?
    /// Whether the file of that name is this one.
    private var isOurs = false

    /// Opens a file to write, with the bytes that were kept.
    ///
    /// - Parameters:
    ///   - destination: Where it will be in the end.
    ///   - isKept: Whether it has a name that a later call finds.
    /// - Throws: `URLError` that names the destination and the reason.
    init(of destination: URL, isKept: Bool) throws {
        self.destination = destination
        guard destination.isFileURL else {
            throw URLError(.cannotCreateFile, saying: "The destination of a download is no file.")
        }
        let folder = destination.deletingLastPathComponent()
        let name = isKept ? destination.lastPathComponent : ".\(UUID().uuidString)"
        url = folder.appendingPathComponent("\(name).part")
        recordURL = folder.appendingPathComponent("\(name).part.json")
        var status = stat()
        if stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw Self.failure(.cannotCreateFile, destination, EISDIR)
        }
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(.cannotCreateFile, destination, errno) }
        // One call at a time writes to a name that several may know.
        isOurs = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        // Meanwhile the file may have gone, or have been moved to a destination.
        var named = stat()
        guard isOurs, fstat(descriptor, &status) == 0, lstat(url.path, &named) == 0,
            (named.st_dev, named.st_ino) == (status.st_dev, status.st_ino)
        else {
            isOurs = false
            throw URLError(
                .cannotCreateFile, saying: "\(destination.path) is being downloaded already.")
        }
        guard isKept else { return }
        size = Int64(status.st_size)
        record = (try? Data(contentsOf: recordURL)).flatMap {
            try? JSONDecoder().decode(PartRecord.self, from: $0)
        }
    }

    deinit {
        if isOurs, record == nil || size == 0 {
            unlink(recordURL.path)
            unlink(url.path)
        }
        // Not by `close` alone: a process that is being started has the descriptor too, until it is another.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Lets go of the bytes, and keeps those that follow if there is a record.
    func startOver(keptAs record: PartRecord?) throws {
        // The record goes first: whatever happens, it never stands beside bytes of something else.
        self.record = nil
        unlink(recordURL.path)
        guard ftruncate(descriptor, 0) == 0 else {
            throw Self.failure(.cannotWriteToFile, destination, errno)
        }
        size = 0
        guard let record, let data = try? JSONEncoder().encode(record) else { return }
        // The URL may hold a secret.
        let isThere = FileManager.default.createFile(
            atPath: recordURL.path, contents: data, attributes: [.posixPermissions: 0o600])
        if isThere { self.record = record }
    }

    func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = pwrite(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    off_t(size))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw Self.failure(.cannotWriteToFile, destination, errno)
                }
                size += Int64(count)
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Gives the file its name.
    func moveIntoPlace() throws {
        record = nil
        unlink(recordURL.path)
        guard rename(url.path, destination.path) == 0 else {
            throw Self.failure(.cannotMoveFile, destination, errno)
        }
        isOurs = false
    }

    private static func failure(
        _ code: URLError.Code, _ destination: URL, _ reason: Int32
    ) -> URLError {
        let words = String(cString: strerror(reason))
        return URLError(code, saying: "The file \(destination.path) can't be written: \(words).")
    }
}
