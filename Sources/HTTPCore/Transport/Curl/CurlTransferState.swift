// SPDX-License-Identifier: MIT

/// Where one exchange stands: a pure value, without I/O and without a clock of its own.
///
/// ```
/// head ──▶ body ──▶ ended
///   └────────────────▲
/// ```
struct CurlTransferState {
    enum Phase: Equatable {
        /// The final head has not come.
        case head
        /// The head has come, the body is on its way.
        case body
        case ended
    }

    /// How a transfer ended that libcurl calls a success.
    enum Completion: Equatable {
        case whole
        /// The connection closed inside the head, which libcurl does not mind.
        case cutHead
    }

    private(set) var phase = Phase.head
    private(set) var head = CurlHead()
    /// Body bytes as they came, the content coding not undone.
    private(set) var received: Int64 = 0

    /// Seconds on the caller's clock.
    private let start: Double
    private let idleLimit: Double?
    private let totalLimit: Double?
    private var lastActivity: Double
    /// Whose turn it is when nothing moves: ours while either way is paused.
    private(set) var receivingIsPaused = false
    private(set) var sendingIsPaused = false

    /// Creates the state of a transfer that starts now.
    ///
    /// - Parameters:
    ///   - now: Seconds on any clock that only rises.
    ///   - idleLimit: The longest time, in seconds, in which nothing may move.
    ///   - totalLimit: The longest time, in seconds, for all of it.
    init(now: Double, idleLimit: Double?, totalLimit: Double?) {
        start = now
        lastActivity = now
        self.idleLimit = idleLimit
        self.totalLimit = totalLimit
    }

    mutating func headLine(
        _ bytes: some BidirectionalCollection<UInt8>,
        now: Double
    ) -> CurlHead.Event {
        lastActivity = now
        let event = head.line(bytes)
        if event == .head { phase = .body }
        return event
    }

    mutating func bodyBytes(_ count: Int, now: Double) {
        lastActivity = now
        received += Int64(count)
    }

    mutating func sent(now: Double) {
        lastActivity = now
    }

    /// Notes that the reader has no room. Time stands still until it has.
    mutating func pauseReceiving() {
        receivingIsPaused = true
    }

    mutating func resumeReceiving(now: Double) {
        receivingIsPaused = false
        lastActivity = now
    }

    /// Notes that the request's body has nothing to give yet. Time stands still until it has.
    mutating func pauseSending() {
        sendingIsPaused = true
    }

    mutating func resumeSending(now: Double) {
        sendingIsPaused = false
        lastActivity = now
    }

    mutating func complete() -> Completion {
        defer { phase = .ended }
        return phase == .head ? .cutHead : .whole
    }

    mutating func end() {
        phase = .ended
    }

    /// When the transfer is out of time unless something moves; nil: never.
    var deadline: Double? {
        let idle = receivingIsPaused || sendingIsPaused ? nil : idleLimit.map { lastActivity + $0 }
        let total = totalLimit.map { start + $0 }
        return [idle, total].compactMap { $0 }.min()
    }
}
