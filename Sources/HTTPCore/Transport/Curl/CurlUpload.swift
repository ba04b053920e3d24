// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation
internal import FoundationNetworking

/// The body of one request on its way to libcurl. Opened by `send`, then the loop thread's.
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
    let length: CurlRequest.BodyLength
    /// Bytes handed over since the last start.
    private(set) var sent: Int64 = 0

    /// Opens a body; nil when there is none.
    ///
    /// - Parameter onBytes: Called when a body that made libcurl wait has bytes again.
    /// - Throws: `URLError` that names a file that can't be read.
    init?(_ body: RequestBody, onBytes: @escaping @Sendable () -> Void) throws {
        switch body {
        case .empty, .data(Data()):
            return nil
        case .data(let data):
            source = .data(data)
            length = .known(Int64(data.count))
        case .file(let url):
            let file = try BodyFile.open(url)
            source = .file(descriptor: file.descriptor, path: url.path)
            length = .known(file.size)
        case .stream(let stream):
            source = .pump(BodyPump(stream, onBytes: onBytes))
            length = stream.length.map { .known($0) } ?? .unknown
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
            let start = data.startIndex + Int(sent)
            let count = min(buffer.count, data.endIndex - start)
            data.copyBytes(to: buffer, from: start..<start + count)
            piece = .bytes(count)
        case .file(let descriptor, let path):
            piece = read(descriptor, path, into: buffer)
        case .pump(let pump):
            piece = pump.take(into: buffer)
        }
        if case .bytes(let count) = piece { sent += Int64(count) }
        return piece
    }

    /// Starts over, for a connection that was dropped before it took the request.
    func rewind() {
        sent = 0
        if case .pump(let pump) = source { pump.restart() }
    }

    private func read(
        _ descriptor: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer
    ) -> Piece {
        guard case .known(let size) = length else { return .bytes(0) }
        let wanted = min(buffer.count, Int(size - sent))
        if wanted == 0 { return .bytes(0) }
        var count: Int
        repeat {
            count = pread(descriptor, buffer.baseAddress, wanted, off_t(sent))
        } while count < 0 && errno == EINTR
        if count > 0 { return .bytes(count) }
        return .failed(
            URLError(
                .cannotOpenFile,
                saying: count == 0
                    ? "The file \(path) became shorter while it was sent."
                    : "The file \(path) could not be read: \(String(cString: strerror(errno))).",
                requestMayHaveArrived: true))
    }
}

extension RequestBody {
    /// Reads a stream that says it gives no bytes: libcurl would never ask for them, and leave out in
    /// silence what comes all the same.
    func checkThatAnEmptyStreamIsEmpty() async throws {
        guard case .stream(let stream) = self, stream.length == 0 else { return }
        try await stream.read { chunk in
            guard chunk.isEmpty else {
                throw URLError(
                    .requestBodyStreamExhausted,
                    saying: "The body gave \(chunk.count) bytes, where 0 were announced.")
            }
        }
    }
}
#endif
