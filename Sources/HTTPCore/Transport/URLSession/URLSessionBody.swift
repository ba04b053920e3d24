// SPDX-License-Identifier: MIT

internal import Foundation

/// A request's body in a form that URLSession can send, and send again.
///
/// A stream is written to a temporary file first: so it has a length, and URLSession can rewind it. Where
/// a file can't be sent, it is read into memory.
struct URLSessionBody: Sendable {
    private(set) var data: Data?
    private(set) var file: URL?
    private(set) var length: Int64 = 0
    private var isTemporary = false

    init(_ body: RequestBody, takesFiles: Bool = SessionTraits.takesFiles) async throws {
        switch body {
        case .empty: break
        case .data(let bytes): data = bytes
        case .file(let url):
            let opened = try BodyFile.open(url)
            close(opened.descriptor)
            (file, length) = (url, opened.size)
            if !takesFiles { (data, file) = (try Data(contentsOf: url), nil) }
        case .stream(let stream) where takesFiles:
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("Duet-\(UUID().uuidString)")
            (file, isTemporary) = (url, true)
            do {
                length = try await Self.write(stream, to: url)
            } catch {
                removeFile()
                throw error
            }
        case .stream(let stream):
            data = Data()
            try await stream.read { data? += $0 }
        }
        if let data { length = Int64(data.count) }
    }

    /// Removes the temporary file.
    ///
    /// Called before the result is delivered, whatever that is.
    func removeFile() {
        if isTemporary, let file { unlink(file.path) }
    }

    private static func write(_ stream: BodyStream, to url: URL) async throws -> Int64 {
        // Only this user may read what is sent.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, let file = fdopen(descriptor, "w") else { throw failure(errno) }
        defer { fclose(file) }
        // Without a buffer, whose last bytes could be lost unseen.
        setvbuf(file, nil, _IONBF, 0)
        try await stream.read { chunk in
            try Task.checkCancellation()
            let written = chunk.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
            guard written == chunk.count else { throw failure(errno) }
        }
        return Int64(ftello(file))
    }

    private static func failure(_ reason: Int32) -> URLError {
        let words = String(cString: strerror(reason))
        return URLError(.cannotCreateFile, saying: "No temporary file for the body: \(words).")
    }
}
