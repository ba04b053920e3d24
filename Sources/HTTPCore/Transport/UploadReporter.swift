// SPDX-License-Identifier: MIT

internal import Foundation

/// Tells a caller how much of a body has been sent, never less than before, on a queue of its own: a
/// slow caller holds nothing up but its own result, which comes last.
final class UploadReporter: Sendable {
    private let queue = DispatchQueue(label: "Duet upload progress")
    private let bytesInAll: Int64?
    private let highest = Locked<Int64>(-1)
    private let receive: @Sendable (HTTPRequest.UploadProgress) -> Void

    init(bytesInAll: Int64?, _ receive: @escaping @Sendable (HTTPRequest.UploadProgress) -> Void) {
        self.bytesInAll = bytesInAll
        self.receive = receive
    }

    func report(_ bytesSent: Int64) {
        let isNew = highest.withLock { highest in
            guard bytesSent > highest else { return false }
            highest = bytesSent
            return true
        }
        guard isNew else { return }
        queue.async { [self] in
            receive(HTTPRequest.UploadProgress(bytesSent: bytesSent, bytesInAll: bytesInAll))
        }
    }

    /// Reports the end of a body that was sent whole.
    func finish() {
        report(bytesInAll ?? max(0, highest.withLock { $0 }))
    }

    /// Runs something after every report.
    func afterAll(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
