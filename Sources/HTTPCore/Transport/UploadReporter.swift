// SPDX-License-Identifier: MIT

public import Foundation

/// Tells a caller how much of a body has been sent, never less than before, on a queue of its own: a
/// slow caller holds nothing up but its own result, which comes last.
struct UploadReporter: Sendable {
    /// Somebody who wants to know, made only where there is one.
    private struct Receiver: Sendable {
        let queue = DispatchQueue(label: "Duet progress")
        let highest = Locked<Int64>(-1)
        let call: @Sendable (HTTPRequest.UploadProgress) -> Void
    }

    private let bytesInAll: Int64?
    private let receiver: Receiver?

    init(of request: HTTPRequest, bytesInAll: Int64?) {
        self.bytesInAll = bytesInAll
        receiver = request.onUploadProgress.map { Receiver(call: $0) }
    }

    func report(_ bytesSent: Int64) {
        guard let receiver else { return }
        let before = receiver.highest.withLock { exchange(&$0, max($0, bytesSent)) }
        guard bytesSent > before else { return }
        let progress = HTTPRequest.UploadProgress(bytesSent: bytesSent, bytesInAll: bytesInAll)
        receiver.queue.async { receiver.call(progress) }
    }

    /// Runs something after every report, the last one of a body that was sent whole included.
    func finish(isWhole: Bool, _ work: @escaping @Sendable () -> Void) {
        guard let receiver else { return work() }
        if isWhole { report(bytesInAll ?? max(0, receiver.highest.withLock { $0 })) }
        receiver.queue.async(execute: work)
    }
}

extension HTTPRequest {
    /// The request, its progress never less than before however often the body is sent.
    var withRisingProgress: HTTPRequest {
        guard let call = onUploadProgress else { return self }
        let highest = Locked<Int64>(-1)
        var request = self
        request.onUploadProgress = { progress in
            let before = highest.withLock { exchange(&$0, max($0, progress.bytesSent)) }
            if progress.bytesSent > before { call(progress) }
        }
        return request
    }
}

extension HTTPRequest.UploadProgress {
    /// Shows the bytes in Foundation's progress, for what is built around it.
    public func update(_ progress: Progress) {
        // Less than 0 means that it is not known.
        progress.totalUnitCount = bytesInAll ?? -1
        progress.completedUnitCount = bytesSent
    }
}
