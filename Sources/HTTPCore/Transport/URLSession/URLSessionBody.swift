// SPDX-License-Identifier: MIT

internal import Foundation

/// A request's body in a form that URLSession can send, and send again.
///
/// A stream is written to a temporary file first, which is mapped: so it has a length, URLSession can rewind
/// it, and it takes no memory that the system could not have back. Where a file can't be sent, it is read
/// into memory.
struct URLSessionBody: Sendable {
    private(set) var data: Data?
    private(set) var file: URL?
    private(set) var length: Int64 = 0

    init(_ body: RequestBody, takesFiles: Bool = SessionTraits.takesFiles) async throws {
        switch body {
        case .empty: break
        case .data(let bytes): data = bytes
        case .file(let url):
            let opened = try BodyFile.open(url)
            close(opened.descriptor)
            (file, length) = (url, opened.size)
            if !takesFiles { (data, file) = (try Data(contentsOf: url), nil) }
        case .stream(let stream): data = try await Self.written(stream)
        }
        if let data { length = Int64(data.count) }
    }

    private static func written(_ stream: BodyStream) async throws -> Data {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("Duet-\(UUID().uuidString)").path
        // Only this user may read what is sent.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Without a name, the file goes with its last user, even when the process is killed.
        guard descriptor >= 0, unlink(path) == 0, let file = fdopen(descriptor, "w") else {
            throw failure(errno)
        }
        defer { fclose(file) }
        // Without a buffer, whose last bytes could be lost unseen.
        setvbuf(file, nil, _IONBF, 0)
        var length = 0
        try await stream.read { chunk in
            try Task.checkCancellation()
            let written = chunk.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
            guard written == chunk.count else { throw failure(errno) }
            length += written
        }
        guard length > 0 else { return Data() }
        let bytes = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let bytes, bytes != MAP_FAILED else { throw failure(errno) }
        return Data(bytesNoCopy: bytes, count: length, deallocator: .unmap)
    }

    private static func failure(_ reason: Int32) -> URLError {
        let words = String(cString: strerror(reason))
        return URLError(.cannotCreateFile, saying: "No temporary file for the body: \(words).")
    }
}
