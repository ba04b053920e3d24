// SPDX-License-Identifier: MIT

/// Where one exchange stands: a pure value, without I/O and without a clock of its own.
struct CurlTransferState {
    private(set) var head = CurlHead()
    /// Body bytes as they came, the content coding not undone.
    private(set) var received: Int64 = 0
    var clock: TransferClock

    init(clock: TransferClock) {
        self.clock = clock
    }

    mutating func headLine(_ bytes: some BidirectionalCollection<UInt8>, now: Double)
        -> CurlHead.Event
    {
        clock.move(now: now)
        return head.line(bytes)
    }

    mutating func bodyBytes(_ count: Int, now: Double) {
        clock.move(now: now)
        received += Int64(count)
    }
}
