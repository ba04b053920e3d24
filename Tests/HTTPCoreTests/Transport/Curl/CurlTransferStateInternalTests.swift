// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct CurlTransferStateInternalTests {
    private func state() -> CurlTransferState {
        CurlTransferState(clock: TransferClock(now: 100, idleLimit: 10))
    }

    @Test func anExchangeGoesFromItsHeadToItsBody() {
        var state = state()
        #expect(state.headLine("HTTP/1.1 200 OK\r\n".utf8, now: 101) == .nothing)
        // O-26: an end here is a cut head.
        #expect(!state.head.isComplete)
        #expect(state.headLine("\r\n".utf8, now: 101) == .head)
        #expect(state.head.isComplete)
        #expect(state.head.status == 200)
        state.bodyBytes(5, now: 102)
        state.bodyBytes(6, now: 103)
        #expect(state.received == 11)
    }

    // O-24
    @Test func anInterimAnswerIsNoHead() {
        var state = state()
        _ = state.headLine("HTTP/1.1 103 Early Hints\r\n".utf8, now: 101)
        #expect(state.headLine("\r\n".utf8, now: 101) == .nothing)
        #expect(!state.head.isComplete)
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
