// SPDX-License-Identifier: MIT

internal import Foundation

/// When a transfer is out of time: a pure value, without a clock of its own.
///
/// Time in which our side holds the transfer up, a slow reader or a body that is still being made, does
/// not count against the server.
struct TransferClock {
    enum Direction {
        case receiving, sending
    }

    private let idleLimit: Double?
    private let end: Double?
    private(set) var lastMove: Double
    private(set) var paused: Set<Direction> = []

    /// Starts the clock.
    ///
    /// - Parameters:
    ///   - now: Seconds on any clock that only rises.
    ///   - idleLimit: The longest time, in seconds, in which nothing may move; 0 or less: no limit.
    ///   - totalLimit: The longest time, in seconds, for all of it.
    ///   - deadline: When all of it must have ended, where the time began before this transfer.
    init(
        now: Double, idleLimit: Double = 0, totalLimit: Double? = nil, deadline: Double? = nil
    ) {
        lastMove = now
        self.idleLimit = idleLimit > 0 ? idleLimit : nil
        end = deadline ?? totalLimit.map { now + $0 }
    }

    /// Notes that bytes went either way.
    mutating func move(now: Double) {
        lastMove = now
    }

    mutating func pause(_ direction: Direction) {
        paused.insert(direction)
    }

    mutating func resume(_ direction: Direction, now: Double) {
        paused.remove(direction)
        lastMove = now
    }

    /// Seconds on the clock that both terminals go by; it only rises.
    static func uptime() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }

    /// When the time is up unless something moves; nil: never.
    var deadline: Double? {
        guard paused.isEmpty, let idleLimit else { return end }
        return min(lastMove + idleLimit, end ?? .infinity)
    }
}
