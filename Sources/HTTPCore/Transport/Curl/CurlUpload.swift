// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The body of one request on its way to libcurl.
///
/// Opened by `send`, then the loop thread's.
final class CurlUpload {
    private typealias File = (descriptor: Int32, path: String)

    private enum Source {
        case data(Data)
        case file(File)
        case input(InputStream)
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
            (source, length) = (.file((file.descriptor, url.path)), file.size)
        case .stream(let stream):
            let input = stream.input?()
            input?.open()
            // Such as a form's, whose file is missing. Without an error, Foundation on Linux traps when asked.
            if input?.streamStatus == .error, let error = input?.streamError { throw error }
            length = stream.length
            // One of unknown length may wait for its bytes: in a task, not on the loop's thread.
            let chunks = input.map(BodyStream.init(readingOnce:)) ?? stream
            source =
                (length == nil ? nil : input).map { .input($0) }
                ?? .pump(BodyPump(chunks, onBytes: onBytes))
        }
    }

    deinit {
        switch source {
        case .data: break
        case .file(let file): close(file.descriptor)
        case .input(let input): input.close()
        case .pump(let pump): pump.cancel()
        }
    }

    /// Fills a buffer of libcurl's.
    ///
    /// - Returns: The bytes written, 0 at the end. Nil: there is nothing yet; pause until the pump says so.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        // No more than was announced, should a file have grown.
        let rest = length.map { Int(clamping: $0 - sent) } ?? .max
        let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest))
        let count: Int?
        switch source {
        case .pump(let pump): count = try pump.take(into: buffer)
        case _ where rest == 0: count = 0
        case .data(let data): count = data.dropFirst(Int(sent)).copyBytes(to: buffer)
        case .file(let file): count = try read(file, into: buffer)
        case .input(let input): count = try read(input, into: buffer, rest: rest)
        }
        sent += Int64(count ?? 0)
        return count
    }

    private func read(_ file: File, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(sent))
        if count > 0 { return count }
        let reason =
            count == 0 ? "became shorter" : "could not be read: \(String(cString: strerror(errno)))"
        throw URLError(.cannotOpenFile, saying: "The file \(file.path) \(reason) as it was sent.")
    }

    /// The last byte waits until nothing follows it: then the server takes the request for complete.
    private func read(
        _ input: InputStream, into buffer: UnsafeMutableRawBufferPointer, rest: Int
    ) throws -> Int {
        let count = try input.fill(buffer)
        var next: UInt8 = 0
        let hasMore = count == rest && input.read(&next, maxLength: 1) > 0
        if count > 0, !hasMore { return count }
        throw BodyStream.fault(hasMore ? .max : sent, of: length ?? 0)
    }
}
#endif
