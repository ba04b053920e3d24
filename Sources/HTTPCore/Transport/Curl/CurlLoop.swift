// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The one thread on which libcurl runs, with its connections.
///
/// Data flows one way: calls from anywhere post commands to the inbox; the thread takes them, lets
/// libcurl work, ends what is done or out of time, and sleeps in `curl_multi_poll`. The thread keeps the
/// loop alive until it was told to stop and the last transfer has ended.
///
/// `@unchecked Sendable`: `inbox` has a lock of its own; every other variable is touched by the thread
/// alone.
final class CurlLoop: @unchecked Sendable {
    enum Command {
        case start(CurlTransfer)
        /// The reader of a response has made room, or the body of a request has bytes again.
        case resume(UInt64, TransferClock.Direction)
        /// Nobody waits for this transfer any more.
        case drop(UInt64)
        case stop
    }

    /// The most connections to one host, and in all; what is more waits for its turn.
    static let connectionsPerHost = 64
    static let connectionsInAll = 256

    private struct Inbox {
        var commands: [Command] = []
        /// Whether the thread has to be woken up to see a command.
        var isAsleep = false
    }

    let tls: TLSSettings
    /// Connections that nothing uses are closed after this many seconds.
    let idleSeconds: Int
    /// In memory, -1 where the trust has no roots of its own.
    let rootsFile: Int32
    private let inbox = Locked(Inbox())
    /// Wakes the thread up.
    private let event = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    private var multi: UnsafeMutableRawPointer?
    private var transfers: [UInt64: CurlTransfer] = [:]
    var sockets = OpenSockets()
    /// Pipes that were written to in this turn.
    var fed: [AnswerPipe] = []
    /// Transfers of this turn whose callers don't know yet.
    private var ended: [(CurlTransfer, Result<HTTPMetrics, any Error>)] = []
    private var spareHandles: [CurlHandle] = []
    private var isStopping = false
    /// Seconds on a clock that only rises, read once a turn.
    private(set) var now = 0.0
    /// No transfer is out of time before this.
    private var nextDeadline = Double.infinity
    private var lastUse = 0.0

    private static let isInitialized: Bool = duet_global_init() == CURLE_OK

    init(_ tls: TLSSettings, idleSeconds: Int) {
        self.tls = tls
        self.idleSeconds = idleSeconds
        rootsFile = CurlHandle.rootsFile(of: tls.trust)
        _ = Self.isInitialized
        multi = duet_multi_init(Self.connectionsPerHost, Self.connectionsInAll)
        Thread { [self] in run() }.start()
    }

    deinit {
        for descriptor in [event, rootsFile] where descriptor >= 0 { close(descriptor) }
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlLoop {
        // The pointer is one that a handle of this loop's was given, and the loop outlives them.
        unsafeBitCast(context, to: CurlLoop.self)
    }

    func post(_ command: Command) {
        let isAsleep = inbox.withLock { inbox in
            inbox.commands.append(command)
            return exchange(&inbox.isAsleep, false)
        }
        if isAsleep { eventfd_write(event, 1) }
    }

    // MARK: The thread

    private func run() {
        // On Linux a name that is given before the start is lost.
        Thread.current.name = "Duet libcurl"
        duet_block_sigpipe()
        repeat {
            now = TransferClock.uptime()
            for command in inbox.withLock({ exchange(&$0.commands, []) }) { apply(command) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            catchUp()
            endWhatIsDone()
            if now >= nextDeadline { expire() }
            // One after the other, and once a turn: what wakes up a caller's thread costs most.
            for pipe in exchange(&fed, []) { pipe.deliver() }
            for (transfer, outcome) in exchange(&ended, []) { transfer.end(outcome) }
            if transfers.isEmpty { closeIdleConnections() }
            duet_multi_wait(multi, event, pause())
        } while !isStopping || !transfers.isEmpty
        spareHandles = []
        curl_multi_cleanup(multi)
    }

    /// Brings the time up to date after a long turn, such as one with many TLS handshakes.
    private func catchUp() {
        let start = exchange(&now, TransferClock.uptime())
        guard now - start > 0.001 else { return }
        for transfer in transfers.values { transfer.catchUp(from: start, to: now) }
    }

    private func apply(_ command: Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .resume(let id, let direction):
            guard let transfer = transfers[id] else { return }
            let result = transfer.resume(direction, now: now)
            if result == CURLE_OK { watch(transfer) } else { end(transfer, result) }
        case .drop(let id):
            if let transfer = transfers[id] { remove(transfer) }
        case .stop: isStopping = true
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard !transfer.pipe.isOver else { return }
        if let handle = spareHandles.popLast() ?? CurlHandle(of: self) {
            transfers[transfer.id] = transfer
            transfer.begin(with: handle, now: now)
            watch(transfer)
            if curl_multi_add_handle(multi, handle.easy) == CURLM_OK { return }
        }
        transfer.end(.failure(URLError(.unknown, saying: "libcurl refused a request.")))
        remove(transfer)
    }

    private func endWhatIsDone() {
        var result = CURLE_OK
        while let context = duet_multi_next_done(multi, &result) {
            guard let transfer = CurlHandle.transfer(context) else { continue }
            if let handle = transfer.startsOver() {
                curl_multi_remove_handle(multi, handle.easy)
                curl_multi_add_handle(multi, handle.easy)
            } else {
                end(transfer, result)
            }
        }
    }

    private func end(_ transfer: CurlTransfer, _ result: CURLcode) {
        ended.append((transfer, transfer.outcome(result)))
        remove(transfer, keepingHandle: result == CURLE_OK && duet_keeps_handles())
    }

    private func remove(_ transfer: CurlTransfer, keepingHandle: Bool = false) {
        transfers[transfer.id] = nil
        guard let handle = transfer.release() else { return }
        curl_multi_remove_handle(multi, handle.easy)
        if keepingHandle, spareHandles.count < Self.connectionsPerHost {
            spareHandles.append(handle)
        }
        lastUse = now
    }

    private func watch(_ transfer: CurlTransfer) {
        guard let deadline = transfer.clock.deadline else { return }
        nextDeadline = min(nextDeadline, deadline)
    }

    /// Ends what is out of time.
    ///
    /// What moved meanwhile has a later deadline now.
    private func expire() {
        nextDeadline = .infinity
        for transfer in Array(transfers.values) {
            if let deadline = transfer.clock.deadline, deadline <= now {
                transfer.expire()
                end(transfer, CURLE_OPERATION_TIMEDOUT)
            } else {
                watch(transfer)
            }
        }
    }

    /// libcurl closes old connections only when it opens new ones; with its handle, all are closed.
    private func closeIdleConnections() {
        guard lastUse > 0, now - lastUse >= Double(idleSeconds) else { return }
        lastUse = 0
        curl_multi_cleanup(multi)
        multi = duet_multi_init(Self.connectionsPerHost, Self.connectionsInAll)
    }

    /// How long to sleep unless a socket or the inbox wakes the thread up, in milliseconds.
    private func pause() -> Int32 {
        let isAsleep = inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return inbox.isAsleep
        }
        guard isAsleep, !isStopping || !transfers.isEmpty else { return 0 }
        let idle = transfers.isEmpty && lastUse > 0 ? lastUse + Double(idleSeconds) : .infinity
        let seconds = min(nextDeadline, idle) - TransferClock.uptime()
        // Where no descriptor was left for the event, nothing else ends the sleep.
        return Int32(max(0, min(seconds, event < 0 ? 0.01 : 3_600) * 1_000).rounded(.up))
    }
}
#endif
