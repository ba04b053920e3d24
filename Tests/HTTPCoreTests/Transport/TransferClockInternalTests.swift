// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct TransferClockInternalTests {
    private func clock(idle: Double = 10, total: Double? = nil) -> TransferClock {
        TransferClock(now: 100, idleLimit: idle, totalLimit: total)
    }

    @Test func withoutLimitsThereIsNoDeadline() {
        #expect(self.clock(idle: 0).deadline == nil)
    }

    @Test func whatMovesPutsTheIdleDeadlineOff() {
        var clock = self.clock(idle: 0.5)
        #expect(clock.deadline == 100.5)
        clock.move(now: 101)
        #expect(clock.deadline == 101.5)
        clock.move(now: 103)
        #expect(clock.deadline == 103.5)
    }

    @Test func theTotalDeadlineStays() {
        var clock = self.clock(idle: 10, total: 30)
        #expect(clock.deadline == 110)
        clock.move(now: 125)
        #expect(clock.deadline == 130)
        #expect(self.clock(idle: 0, total: 30).deadline == 130)
    }

    @Test func aDeadlineThatStandsAlreadyIsTheTotalOne() {
        let clock = TransferClock(now: 100, totalLimit: 30, deadline: 110)
        #expect(clock.deadline == 110)
    }

    @Test func theReadersTimeDoesNotCount() {
        var clock = self.clock()
        clock.pause(.receiving)
        #expect(clock.paused.contains(.receiving))
        #expect(clock.deadline == nil)
        clock.resume(.receiving, now: 500)
        #expect(!clock.paused.contains(.receiving))
        #expect(clock.deadline == 510)
    }

    @Test func theBodysTimeDoesNotCount() {
        var clock = self.clock()
        clock.pause(.sending)
        #expect(clock.paused.contains(.sending))
        #expect(clock.deadline == nil)
        clock.resume(.sending, now: 500)
        #expect(!clock.paused.contains(.sending))
        #expect(clock.deadline == 510)
    }

    @Test func timeStandsStillUntilBothMove() {
        var clock = self.clock()
        clock.pause(.receiving)
        clock.pause(.sending)
        clock.resume(.receiving, now: 200)
        #expect(clock.deadline == nil)
        clock.resume(.sending, now: 300)
        #expect(clock.deadline == 310)
    }

    @Test func theTotalLimitCountsOnThroughAPause() {
        var clock = self.clock(idle: 10, total: 30)
        clock.pause(.receiving)
        #expect(clock.deadline == 130)
        clock.pause(.sending)
        #expect(clock.deadline == 130)
        clock.resume(.receiving, now: 125)
        clock.resume(.sending, now: 125)
        #expect(clock.deadline == 130)
    }
}
