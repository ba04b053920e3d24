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

    override func open() {
        guard status == .notOpen else { return }
        reader = FormReader(form)
        status = .open
    }

    override func close() {
        reader = nil
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open, let reader, length > 0 else { return status == .atEnd ? 0 : -1 }
        do throws(MultipartError) {
            let count = try reader.fill(UnsafeMutableRawBufferPointer(start: buffer, count: length))
            if reader.isFinished { status = .atEnd }
            return count
        } catch {
            failure = error
            status = .error
            self.reader = nil
            return -1
        }
    }
}
