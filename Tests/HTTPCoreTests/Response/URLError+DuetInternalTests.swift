// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLErrorDuetInternalTests {
    @Test func ourSentenceIsTheDescription() {
        let error = URLError(.timedOut, saying: "h was slow.")
        #expect(error.code == .timedOut)
        #expect(error.localizedDescription == "h was slow.")
        #expect((error as any Error).localizedDescription == "h was slow.")
        #expect(!error.requestMayHaveArrived)
    }

    @Test func whetherItArrivedTravelsWithTheError() {
        let sent = URLError(.networkConnectionLost, saying: "Lost.", requestMayHaveArrived: true)
        #expect(sent.requestMayHaveArrived)
        let later = URLError(.timedOut, saying: "h was slow.").whereRequestMayHaveArrived()
        #expect(later.requestMayHaveArrived)
        #expect(later.code == .timedOut)
        #expect(later.localizedDescription == "h was slow.")
        #expect(((later as any Error) as? URLError)?.requestMayHaveArrived == true)
    }
}
