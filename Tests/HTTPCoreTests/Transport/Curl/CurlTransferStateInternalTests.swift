// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct CurlTransferStateInternalTests {
    private func state() -> CurlTransferState {
        CurlTransferState(clock: TransferClock(now: 100, idleLimit: 10))
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

    // What the clock does with it is TransferClock's.
    @Test func whateverComesMovesTheClock() {
        var state = state()
        _ = state.headLine("HTTP/1.1 200 OK\r\n".utf8, now: 102)
        #expect(state.clock.deadline == 112)
        state.bodyBytes(1, now: 103)
        #expect(state.clock.deadline == 113)
    }
}
