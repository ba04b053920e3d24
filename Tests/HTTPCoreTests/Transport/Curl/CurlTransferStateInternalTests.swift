// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct CurlTransferStateInternalTests {
    private func state(idle: Double? = 10, total: Double? = nil) -> CurlTransferState {
        CurlTransferState(now: 100, idleLimit: idle, totalLimit: total)
    }

    private func readHead(_ state: inout CurlTransferState, now: Double) {
        _ = state.headLine("HTTP/1.1 200 OK\r\n".utf8, now: now)
        _ = state.headLine("\r\n".utf8, now: now)
    }

    @Test func anExchangeGoesFromHeadToBodyToItsEnd() {
        var state = state()
        #expect(state.phase == .head)
        readHead(&state, now: 101)
        #expect(state.phase == .body)
        #expect(state.head.status == 200)
        state.bodyBytes(5, now: 102)
        state.bodyBytes(6, now: 103)
        #expect(state.received == 11)
        #expect(state.complete() == .whole)
        #expect(state.phase == .ended)
    }

    // O-26
    @Test func anEndInsideTheHeadIsACut() {
        var state = state()
        _ = state.headLine("HTTP/1.1 200 OK\r\n".utf8, now: 101)
        #expect(state.complete() == .cutHead)
        #expect(state.phase == .ended)
    }

    // O-24
    @Test func anInterimAnswerIsNoHead() {
        var state = state()
        _ = state.headLine("HTTP/1.1 103 Early Hints\r\n".utf8, now: 101)
        #expect(state.headLine("\r\n".utf8, now: 101) == .nothing)
        #expect(state.phase == .head)
        readHead(&state, now: 102)
        #expect(state.phase == .body)
    }

    @Test func withoutLimitsThereIsNoDeadline() {
        #expect(state(idle: nil).deadline == nil)
    }

    @Test func whatMovesPutsTheIdleDeadlineOff() {
        var state = state(idle: 0.5)
        #expect(state.deadline == 100.5)
        state.sent(now: 101)
        #expect(state.deadline == 101.5)
        _ = state.headLine("HTTP/1.1 200 OK\r\n".utf8, now: 102)
        #expect(state.deadline == 102.5)
        state.bodyBytes(1, now: 103)
        #expect(state.deadline == 103.5)
    }

    @Test func theTotalDeadlineStays() {
        var state = state(idle: 10, total: 30)
        #expect(state.deadline == 110)
        state.bodyBytes(1, now: 125)
        #expect(state.deadline == 130)
        #expect(self.state(idle: nil, total: 30).deadline == 130)
    }

    @Test func theReadersTimeDoesNotCount() {
        var state = state()
        state.pauseReceiving()
        #expect(state.receivingIsPaused)
        #expect(state.deadline == nil)
        state.resumeReceiving(now: 500)
        #expect(!state.receivingIsPaused)
        #expect(state.deadline == 510)
    }

    @Test func theBodysTimeDoesNotCount() {
        var state = state()
        state.pauseSending()
        #expect(state.sendingIsPaused)
        #expect(state.deadline == nil)
        state.resumeSending(now: 500)
        #expect(!state.sendingIsPaused)
        #expect(state.deadline == 510)
    }

    @Test func timeStandsStillUntilBothMove() {
        var state = state()
        state.pauseReceiving()
        state.pauseSending()
        state.resumeReceiving(now: 200)
        #expect(state.deadline == nil)
        state.resumeSending(now: 300)
        #expect(state.deadline == 310)
    }

    @Test func theTotalLimitCountsOnThroughAPause() {
        var state = state(idle: 10, total: 30)
        state.pauseReceiving()
        #expect(state.deadline == 130)
        state.pauseSending()
        #expect(state.deadline == 130)
        state.resumeReceiving(now: 125)
        state.resumeSending(now: 125)
        #expect(state.deadline == 130)
    }
}
