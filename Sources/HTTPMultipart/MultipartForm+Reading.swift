// SPDX-License-Identifier: MIT

public import Foundation

extension MultipartForm: AsyncSequence {
    /// A chunk of the body, at most 65,536 bytes.
    public typealias Element = Data

    /// One pass over a form: each file is opened once, and closed also when the pass is dropped.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: FormReader

        fileprivate init(_ reader: FormReader) {
            self.reader = reader
        }

        /// Returns the next 65,536 bytes or fewer, or nil at the end.
        ///
        /// It reads on the thread it is called on; only a pipe without data makes it wait.
        ///
        /// - Throws: ``MultipartError`` as ``MultipartForm/encoded()`` does; before the first byte
        ///   where that can be known. `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Data? {
            try read()
        }

        /// Returns the next 65,536 bytes or fewer, or nil at the end, without leaving the actor.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> Data? {
            try read()
        }

        private func read() throws -> Data? {
            try Task.checkCancellation()
            return try reader.chunk()
        }
    }

    /// Starts a pass from the first byte, any number of times.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(FormReader(self))
    }
}

extension MultipartForm {
    /// Returns the whole body in memory.
    ///
    /// - Throws: ``MultipartError`` with the kind `header` or `boundary` when a part cannot be
    ///   sent, `file` or `fileChanged` when a file cannot be read as it was added.
    public func encoded() throws -> Data {
        let reader = FormReader(self)
        // All at once, but for a pipe, whose end is found chunk by chunk.
        var body = try reader.chunk(upTo: .max) ?? Data()
        while let chunk = try reader.chunk() {
            body.append(chunk)
        }
        return body
    }

    /// Writes the whole body to a file, which appears when it is complete and replaces an old one.
    ///
    /// Until then the bytes are in a temporary file beside it, which an error removes. The file is
    /// readable by its owner alone.
    ///
    /// - Parameter url: The file's URL. A device or a pipe is written in place.
    /// - Throws: ``MultipartError`` as ``encoded()`` does, and with the kind `destination` when the
    ///   file cannot be written; its ``MultipartError/code`` is `ENOSPC` for a full disk.
    public func write(to url: URL) throws {
        try validate()
        let reader = FormReader(self)
        let file = try FileWriter(url)
        while let chunk = try reader.chunk() {
            try file.put(chunk)
        }
        try file.finish()
    }

    /// Returns a stream of the body, for `URLRequest.httpBodyStream`.
    ///
    /// It reads on the thread that calls it. A failed read returns -1 and `streamError` is the
    /// ``MultipartError``.
    ///
    /// > Important: URLSession sends a stream chunked, which some servers refuse. On Apple's platforms a
    /// > `Content-Length` from ``contentLength`` prevents it; on Linux both would be sent, and the
    /// > request refused. Upload the file that ``write(to:)`` makes where a length is needed.
    @Sendable public func inputStream() -> InputStream {
        FormInputStream(self)
    }
}
