// SPDX-License-Identifier: MIT

import Foundation

/// A form as an input stream: a subclass, which needs no thread of its own and can report errors.
///
/// A bound pair of streams, the other way to feed URLSession, is not there on Linux.
final class FormInputStream: InputStream {
    private let form: MultipartForm
    private var reader: FormReader?
    private var status = Stream.Status.notOpen
    private var failure: MultipartError?

    init(_ form: MultipartForm) {
        self.form = form
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    /// Looks at the form, so that a file which is missing is known before anything is sent.
    override func open() {
        guard status == .notOpen else { return }
        let reader = FormReader(form)
        (self.reader, status) = (reader, .open)
        _ = result { () throws(MultipartError) in try reader.start() }
    }

    override func close() {
        (reader, status) = (nil, .closed)
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open, let reader, length > 0 else { return status == .atEnd ? 0 : -1 }
        let memory = UnsafeMutableRawBufferPointer(start: buffer, count: length)
        let count = result { () throws(MultipartError) in try reader.fill(memory) } ?? -1
        if reader.isFinished, status == .open { status = .atEnd }
        return count
    }

    private func result<T>(of work: () throws(MultipartError) -> T) -> T? {
        do throws(MultipartError) {
            return try work()
        } catch {
            (failure, status, reader) = (error, .error, nil)
            return nil
        }
    }
}
