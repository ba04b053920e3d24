// SPDX-License-Identifier: MIT

internal import Foundation

/// Opens the file of a request's body, or says why it can't be sent.
enum BodyFile {
    /// Opens a file to read.
    ///
    /// The caller closes the descriptor.
    ///
    /// - Parameter url: A file's URL.
    /// - Returns: The descriptor, and the length of the file in bytes.
    /// - Throws: `URLError` that names the file and the reason.
    static func open(_ url: URL) throws -> (descriptor: Int32, size: Int64) {
        guard url.isFileURL else {
            throw URLError(.cannotOpenFile, saying: "\(url.maskingSecrets) is no file's URL.")
        }
        // Not blocking, so that a pipe nobody writes to is refused and not waited for.
        let descriptor = Foundation.open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw failure(url.path, errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw failure(url.path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ESPIPE)
        }
        return (descriptor, Int64(status.st_size))
    }

    private static func failure(_ path: String, _ reason: Int32) -> URLError {
        let code: URLError.Code =
            switch reason {
            case ENOENT, ENOTDIR: .fileDoesNotExist
            case EISDIR: .fileIsDirectory
            case EACCES, EPERM: .noPermissionsToReadFile
            default: .cannotOpenFile
            }
        let words = String(cString: strerror(reason))
        return URLError(code, saying: "The file \(path) can't be sent: \(words).")
    }
}
