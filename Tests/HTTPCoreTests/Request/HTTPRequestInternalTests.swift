// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPRequestInternalTests {
    // O-20: never beyond 1, never undefined.
    @Test(arguments: [
        (Int64(0), Int64?(0), Double?(1)), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (5, nil, nil),
    ])
    func fractionIsFiniteOrNotKnown(sent: Int64, inAll: Int64?, fraction: Double?) {
        let progress = HTTPRequest.UploadProgress(bytesSent: sent, bytesInAll: inAll)
        #expect(progress.fraction == fraction)
    }

    @Test func secretHeadersAreTheUsualOnesAndTheCallers() {
        var request = HTTPRequest(URLRequest(url: URL(string: "http://h")!))
        request.options.secretHeaders = ["X-Tenant"]
        for name in ["authorization", "Cookie", "SET-COOKIE", "Proxy-Authorization", "x-tenant"] {
            #expect(request.isSecret(name))
        }
        #expect(!request.isSecret("Accept"))
        #expect(!request.isSecret("X-Trace"))
    }
}
