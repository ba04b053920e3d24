// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct URLErrorDuetTests {
    @Test func aRequestHasNotArrivedUnlessSaid() {
        #expect(!URLError(.timedOut).requestMayHaveArrived)
        #expect(!URLError(.timedOut, userInfo: ["x": true]).requestMayHaveArrived)
    }
}
