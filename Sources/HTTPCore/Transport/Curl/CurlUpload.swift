// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The body of one request on its way to libcurl.
///
/// Opened by `send`, then the loop thread's.
final class CurlUpload {
    enum Piece {
        case bytes(Int)
        /// Nothing yet: pause until the pump says so.
        case wait
        case failed(any Error)
    }

    private enum Source {
        case data(Data)
        case file(descriptor: Int32, path: String)
        case pump(BodyPump)
    }

    private let source: Source
    /// Nil when it is not known: the body is sent chunked.
    let length: Int64?
    /// Bytes handed over.
    private(set) var sent: Int64 = 0

    /// Opens a body; nil when there is none.
    ///
    /// - Parameters:
    ///   - body: What to send.
    ///   - onBytes: Called when a body that made libcurl wait has bytes again.
    /// - Throws: `URLError` that names a file that can't be read.
    init?(_ body: RequestBody, onBytes: @escaping @Sendable () -> Void) throws {
        switch body {
        case .empty, .data(Data()):
            return nil
        case .data(let data):
            (source, length) = (.data(data), Int64(data.count))
        case .file(let url):
            let file = try BodyFile.open(url)
            (source, length) = (
                .file(descriptor: file.descriptor, path: url.path), file.size
            )
        case .stream(let stream):
            (source, length) = (.pump(BodyPump(stream, onBytes: onBytes)), stream.length)
        }
    }

    deinit {
        switch source {
        case .data: break
        case .file(let descriptor, _): close(descriptor)
        case .pump(let pump): pump.cancel()
        }
    }

    /// Fills a buffer of libcurl's.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        let piece: Piece
        switch source {
        case .data(let data):
            let rest = data.dropFirst(Int(sent)).prefix(buffer.count)
            piece = .bytes(rest.copyBytes(to: buffer))
        case .file(let descriptor, let path):
            piece = read(descriptor, path, into: buffer)
        case .pump(let pump):
            piece = pump.take(into: buffer)
        }
        if case .bytes(let count) = piece { sent += Int64(count) }
        return piece
    }

    private func read(
        _ descriptor: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer
    ) -> Piece {
        // No more than was announced, should the file have grown.
        let wanted = min(buffer.count, Int((length ?? 0) - sent))
        if wanted == 0 { return .bytes(0) }
        let count = pread(descriptor, buffer.baseAddress, wanted, off_t(sent))
        if count > 0 { return .bytes(count) }
        let reason =
            count == 0 ? "became shorter" : "could not be read: \(String(cString: strerror(errno)))"
        return .failed(
            URLError(
                .cannotOpenFile, saying: "The file \(path) \(reason), while it was sent."))
    }
}
#endif
