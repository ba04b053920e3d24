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
    var clock: TransferClock
    /// Body bytes as they came, the content coding not undone.
    private(set) var received: Int64 = 0

    init(clock: TransferClock) {
        self.clock = clock
    }

    mutating func headLine(
        _ bytes: some BidirectionalCollection<UInt8>, now: Double
    ) -> CurlHead.Event {
        clock.move(now: now)
        let event = head.line(bytes)
        if event == .head { phase = .body }
        return event
    }

    mutating func bodyBytes(_ count: Int, now: Double) {
        clock.move(now: now)
        received += Int64(count)
    }

    mutating func complete() -> Completion {
        defer { phase = .ended }
        return phase == .head ? .cutHead : .whole
    }

    mutating func end() {
        phase = .ended
    }
}
