// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPCore
import TestSupport
import Testing

/// What Foundation on Linux can't do must fail, and not be left out in silence.
struct TLSHandshakeTests {
    private static let roots = Data("-----BEGIN CERTIFICATE-----".utf8)

    @Test(
        arguments: [
            (ServerTrust.system, ClientIdentity(pkcs12: Data([1]), password: "p")),
            (.system, ClientIdentity(pkcs12: Data())),
            (.roots(roots), nil),
            (.roots(roots, addingToSystem: true), nil),
            (.system.pinned(to: [Data(count: 32)]), nil),
            (InsecureServerTrust.acceptsAnyCertificate, nil),
        ] as [(ServerTrust, ClientIdentity?)])
    func aTLSSettingIsAnErrorBeforeAnythingIsSent(
        _ trust: ServerTrust, _ identity: ClientIdentity?
    ) async throws {
        let server = try LoopbackServer(script: [.text("sent")])
        let transport = URLSessionTransport(trust: trust)
        let error = await #expect(throws: URLError.self) {
            var request = HTTPRequest(URLRequest(url: server.url("/")))
            request.options.identity = identity
            _ = try await transport.send(request)
        }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.localizedDescription.contains("use CurlTransport") == true)
        #expect(error?.requestMayHaveArrived == false)
        #expect(server.acceptCount == 0)
    }
}
#endif
