// SPDX-License-Identifier: MIT

public import Foundation

/// Tells a caller how much of a body has been sent, never less than before, on a queue of its own: a
/// slow caller holds nothing up but its own result, which comes last.
struct UploadReporter: Sendable {
    private let bytesInAll: Int64?
    private let call: (@Sendable (HTTPRequest.UploadProgress) -> Void)?
    /// Made only where there is somebody to tell.
    private let queue: DispatchQueue?

    init(of request: HTTPRequest, bytesInAll: Int64?) {
        self.bytesInAll = bytesInAll
        call = request.withRisingProgress.onUploadProgress
        queue = call.map { _ in DispatchQueue(label: "Duet progress") }
    }

    func report(_ bytesSent: Int64) {
        guard let call else { return }
        let progress = HTTPRequest.UploadProgress(bytesSent: bytesSent, bytesInAll: bytesInAll)
        queue?.async { call(progress) }
    }

    /// Runs something after every report, the last one of a body that was sent whole included.
    func finish(isWhole: Bool, _ work: @escaping @Sendable () -> Void) {
        if isWhole { report(bytesInAll ?? 0) }
        if let queue { queue.async(execute: work) } else { work() }
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
