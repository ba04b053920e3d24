// SPDX-License-Identifier: MIT

import Foundation

/// An open file that is read once, from its start to the size it is expected to have.
///
/// The descriptor is closed with the last reference, on every way out.
final class FileReader {
    private let descriptor: Int32
    private let path: String
    private let expected: Int64?
    private var count: Int64 = 0
    /// Whether the last byte was read, and nothing follows it.
    private(set) var isAtEnd = false

    /// Opens a file, which for a pipe waits for its writer.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - expected: The size in bytes that it has to have, nil to read to the end.
    /// - Throws: `MultipartError` with the kind `file` or `fileChanged`.
    init(_ source: FileSource, expected: Int64?) throws(MultipartError) {
        self.path = source.path
        self.expected = expected
        let cPath = try FileSource.cPath(source.url, .file)
        var descriptor: Int32
        repeat {
            descriptor = open(cPath, O_RDONLY | O_CLOEXEC)
        } while descriptor < 0 && errno == EINTR
        try MultipartError.check(descriptor >= 0, .file, path)
        self.descriptor = descriptor

        var status = stat()
        try MultipartError.check(fstat(descriptor, &status) == 0, .file, path)
        let size = try FileSource.size(in: status, path: path)
        try FileSource.expect(expected, size, path: path)
    }

    deinit {
        close(descriptor)
    }

    /// The bytes still to come, nil when unmeasured.
    var remaining: Int64? { expected.map { $0 - count } }

    /// Fills the memory as far as one read goes, and looks for growth after the last byte.
    ///
    /// - Parameter memory: Room for at least one byte.
    /// - Returns: The bytes read.
    /// - Throws: `MultipartError` with the kind `file`, or `fileChanged` when the file ends early
    ///   or holds more than expected.
    func next(into memory: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        guard let expected else {
            let count = try readOnce(memory)
            isAtEnd = count == 0
            return count
        }
        let wanted = Int(min(Int64(memory.count), expected - count))
        let bytes = try readOnce(UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted]))
        guard bytes > 0 || wanted == 0 else {
            let change = "it had \(expected) bytes and ended after \(count)"
            throw MultipartError(.fileChanged, change, path: path)
        }
        if count == expected {
            try expectEnd()
            isAtEnd = true
        }
        return bytes
    }

    /// A read of one byte, not `fstat`: some files, such as those of `/proc`, say 0 and hold more.
    private func expectEnd() throws(MultipartError) {
        var byte: UInt8 = 0
        let more = withUnsafeMutableBytes(of: &byte) { read(descriptor, $0.baseAddress, 1) }
        if more > 0 { throw MultipartError(.fileChanged, "it holds more than it says", path: path) }
    }

    private func readOnce(_ memory: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        var bytes: Int
        repeat {
            bytes = read(descriptor, memory.baseAddress, memory.count)
        } while bytes < 0 && errno == EINTR
        try MultipartError.check(bytes >= 0, .file, path)
        count += Int64(bytes)
        return bytes
    }
}
