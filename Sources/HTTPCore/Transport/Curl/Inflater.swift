// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// Undoes the content coding gzip or deflate (RFC 9110, section 8.4.1), piece by piece.
///
/// Unlike libcurl's own decoder it knows whether the coded stream was whole. Belongs to the loop's
/// thread.
final class Inflater {
    enum Outcome: Equatable {
        case ok
        /// The bytes are no such coding, or go on after its end.
        case broken
        /// The receiver wants no more.
        case stopped
    }

    /// Lives at one address: zlib's state points back at it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableRawBufferPointer
    /// Whether the first byte has to tell whether it is zlib's format or bare.
    private var mayBeRaw: Bool
    /// Whether the stream ended with its check value.
    private(set) var isFinished = false

    /// Creates an inflater for a `Content-Encoding`, nil when there is none to undo.
    init?(contentEncoding: String?) {
        let codings = contentEncoding?.lowercased().split { ", \t".contains($0) }
            .filter { $0 != "identity" }
        guard let codings, [["gzip"], ["x-gzip"], ["deflate"]].contains(codings) else { return nil }
        mayBeRaw = codings == ["deflate"]
        stream = .allocate(capacity: 1)
        output = .allocate(byteCount: 65_536, alignment: 16)
        stream.initialize(to: z_stream())
        // 15 bits of window; 32 finds out whether it is gzip or zlib. From here on `deinit` cleans up.
        guard duet_inflate_init(stream, 15 + 32) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Takes coded bytes and hands on plain ones, at most 64 KiB at a time.
    ///
    /// - Parameters:
    ///   - bytes: The next coded bytes.
    ///   - receive: Takes plain bytes; false stops.
    /// - Returns: How it went.
    func inflate(
        _ bytes: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        let bytes = bytes.bindMemory(to: UInt8.self)
        guard let address = bytes.baseAddress, let first = bytes.first else { return .ok }
        // Some servers send bare deflate. zlib's format starts with an 8 (RFC 1950, section 2.2), which
        // no bare block does, and gzip's with 1F, which none can.
        if exchange(&mayBeRaw, false), first & 0x0F != 8, first != 0x1F {
            inflateReset2(stream, -15)
        }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: address)
        stream.pointee.avail_in = UInt32(bytes.count)
        while stream.pointee.avail_in > 0 {
            if isFinished {
                // A gzip file may be several in a row (RFC 1952, section 2.2).
                guard stream.pointee.next_in.pointee == 0x1F, inflateReset(stream) == Z_OK else {
                    return .broken
                }
                isFinished = false
            }
            repeat {
                stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let result = CCurl.inflate(stream, Z_NO_FLUSH)
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                    return .broken
                }
                let count = output.count - Int(stream.pointee.avail_out)
                let plain = UnsafeRawBufferPointer(rebasing: output[..<count])
                if count > 0, !receive(plain) { return .stopped }
                isFinished = result == Z_STREAM_END
            } while stream.pointee.avail_out == 0 && !isFinished
        }
        return .ok
    }
}
#endif
