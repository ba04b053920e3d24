// SPDX-License-Identifier: MIT

import Foundation

/// One pass over a form: its bytes in order, read into memory that the caller gives.
///
/// The iterator, `encoded()`, `write(to:)` and the input stream all stand on this one.
final class FormReader {
    /// The most bytes in one chunk.
    static let chunkSize = 65_536

    private enum Piece {
        case start
        case delimiter(Data)
        case data(Data)
        case file(FileReader)
        case end
    }

    private let form: MultipartForm
    private var piece = Piece.start
    /// The part whose delimiter or content is the piece; the closing delimiter comes after the last.
    private var index = 0
    private var sizes: [Int64?] = []
    private var remaining: Int64?

    init(_ form: MultipartForm) {
        self.form = form
    }

    /// Whether the last byte was read, or reading failed.
    var isFinished: Bool {
        if case .end = piece { true } else { false }
    }

    /// Returns the next bytes, or nil at the end and after an error.
    ///
    /// The chunk owns the memory that a file was read into, so that nothing is copied or cleared.
    ///
    /// - Parameter limit: The most bytes, where the rest of the form is measured.
    /// - Returns: At most `limit` bytes, and at most 65,536 where it is not measured.
    /// - Throws: `MultipartError` as `fill(_:)` does.
    func chunk(upTo limit: Int = FormReader.chunkSize) throws(MultipartError) -> Data? {
        try start()
        guard !isFinished else { return nil }
        let size = min(limit, remaining.map { Int(clamping: $0) } ?? FormReader.chunkSize)
        guard let memory = malloc(size) else {
            throw MultipartError(.file, String(cString: strerror(ENOMEM)))
        }
        do throws(MultipartError) {
            let count = try fill(UnsafeMutableRawBufferPointer(start: memory, count: size))
            let chunk = Data(bytesNoCopy: memory, count: count, deallocator: .free)
            // A short chunk is copied: it would keep all of the memory alive.
            return count > size / 2 ? chunk : chunk.subdata(in: 0..<count)
        } catch {
            free(memory)
            throw error
        }
    }

    /// Fills the memory as far as there are bytes.
    ///
    /// - Parameter memory: Room for at least one byte.
    /// - Returns: The bytes written: 0 at the end alone, fewer than asked for also before a long
    ///   file and after a read from a pipe.
    /// - Throws: `MultipartError`. The pass is over then, its file closed.
    func fill(_ memory: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do throws(MultipartError) {
            try start()
            let count = try copy(into: memory)
            remaining = remaining.map { $0 - Int64(count) }
            return count
        } catch {
            piece = .end
            throw error
        }
    }

    /// Checks all that can be known before the first byte is given out.
    func start() throws(MultipartError) {
        guard case .start = piece else { return }
        piece = .end
        sizes = try form.validatedSizes()
        remaining = form.length(sizes: sizes)
        piece = .delimiter(form.delimiter(before: 0))
    }

    private func copy(into memory: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        var filled = 0
        while filled < memory.count {
            let space = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            switch piece {
            case .start, .end:
                return filled
            case .delimiter(let data):
                let rest = data.dropFirst(data.copyBytes(to: space))
                filled += data.count - rest.count
                piece = rest.isEmpty ? try pieceInPart() : .delimiter(rest)
            case .data(let data):
                let rest = data.dropFirst(data.copyBytes(to: space))
                filled += data.count - rest.count
                piece = rest.isEmpty ? pieceAfterPart() : .data(rest)
            case .file(let file):
                // Reads of a long file stay aligned to the pages that the system caches.
                if filled > 0, (file.remaining ?? 0) >= memory.count { return filled }
                filled += try file.next(into: space)
                if file.isAtEnd {
                    piece = pieceAfterPart()
                } else if file.remaining == nil {
                    return filled
                }
            }
        }
        return filled
    }

    private func pieceInPart() throws(MultipartError) -> Piece {
        guard index < form.parts.count else { return .end }
        return switch form.parts[index].content {
        case .data(let data): .data(data)
        case .file(let source): .file(try FileReader(source, expected: sizes[index]))
        }
    }

    private func pieceAfterPart() -> Piece {
        index += 1
        return .delimiter(form.delimiter(before: index))
    }
}
