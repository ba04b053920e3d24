// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// Whom the curl transport takes for a server, tried on a real nginx.
@Suite(.needsNginx, .timeLimit(.minutes(5)))
struct ServerTrustTests {
    @Test(arguments: [
        (
            TestCertificates.Server.wrongHost, URLError.Code.serverCertificateUntrusted,
            "is not one for localhost"
        ),
        (.unknownRoot, .serverCertificateHasUnknownRoot, "has an issuer that is not trusted"),
        (.expired, .serverCertificateHasBadDate, "has expired"),
        (.notYetValid, .serverCertificateNotYetValid, "is not valid yet"),
        (
            .wrongPurpose, .serverCertificateUntrusted,
            "is not trusted (SSL certificate problem: uns"
        ),
    ])
    func aServerIsRefusedForItsOwnReason(
        _ certificate: TestCertificates.Server, _ code: URLError.Code, _ words: String
    ) async throws {
        let server = try NginxServer(.init(certificate))
        let error = try await CurlTransport(trust: .testRoot).refusal(server.url())
        #expect(error.code == code, "\(error)")
        let sentence = error.localizedDescription
        #expect(sentence.hasPrefix("The certificate of localhost \(words)"))
        #expect(!error.requestMayHaveArrived)
        #expect(try server.exchanges.isEmpty)
    }

    @Test func aServerIsKnownByNameAndByAddress() async throws {
        let server = try NginxServer(.init())
        let transport = CurlTransport(trust: try .testRoot)
        for host in ["localhost", "127.0.0.1"] {
            #expect(
                try await transport.seen(server.url("/\(host)", host: host)).target == "/\(host)")
        }
    }

    @Test func theSystemDoesNotTrustARootOfOnesOwn() async throws {
        let server = try NginxServer(.init())
        let error = try await CurlTransport().refusal(server.url())
        #expect(error.code == .serverCertificateHasUnknownRoot)
    }

    @Test(arguments: [true, false])
    func rootsMayBeSeveral(addingToSystem: Bool) async throws {
        let server = try NginxServer(.init(), .init(.unknownRoot))
        let certificates = try TestCertificates.shared()
        let both = try certificates.otherRoot + certificates.root
        let transport = CurlTransport(trust: .roots(both, addingToSystem: addingToSystem))
        #expect(try await transport.seen(server.url()).target == "/")
        #expect(try await transport.seen(server.url(site: 1)).target == "/")
    }

    /// A server whose issuer has the name of a system's authority, and not its key: only who knows that
    /// authority can find the signature wrong, everybody else misses the issuer.
    @Test(.enabled(if: TestCertificates.hasSystemRoots))
    func rootsStandBesideTheSystemsOrInTheirPlace() async throws {
        let server = try NginxServer(.init(.falseAuthority))
        let root = try TestCertificates.shared().root
        for trust in [ServerTrust.system, .roots(root, addingToSystem: true)] {
            let error = try await CurlTransport(trust: trust).refusal(server.url())
            // The second, where OpenSSL could not even make sense of the signature.
            #expect([.serverCertificateUntrusted, .secureConnectionFailed].contains(error.code))
        }
        let error = try await CurlTransport(trust: .roots(root)).refusal(server.url())
        #expect(error.code == .serverCertificateHasUnknownRoot, "\(error)")
    }

    @Test(arguments: ["junk", ""], [false, true])
    func rootsThatCannotBeReadTrustNobody(_ pem: String, addingToSystem: Bool) async throws {
        let server = try NginxServer(.init())
        let trust = ServerTrust.roots(Data(pem.utf8), addingToSystem: addingToSystem)
        let error = try await CurlTransport(trust: trust).refusal(server.url())
        #expect(error.code == .secureConnectionFailed, "\(error)")
        #expect(error.localizedDescription == "The certificates to trust could not be read.")
    }

    @Test func aPinnedServerHasTheKeyOrIsRefused() async throws {
        let certificates = try TestCertificates.shared()
        let (right, wrong) = (
            try certificates.keyHash(.valid), try certificates.keyHash(.unknownRoot)
        )
        let server = try NginxServer(.init())
        for pins in [[right], [wrong, right]] {
            let transport = CurlTransport(trust: try .testRoot.pinned(to: pins))
            #expect(try await transport.seen(server.url("/pinned")).target == "/pinned")
        }
        for pins in [[wrong], [right.dropLast()], []] {
            let error = try await CurlTransport(trust: .testRoot.pinned(to: pins))
                .refusal(server.url("/refused"))
            #expect(error.code == .serverCertificateUntrusted, "\(pins): \(error)")
            #expect(
                error.localizedDescription == "localhost has another key than it was pinned to.")
            #expect(!error.requestMayHaveArrived)
        }
        #expect(try server.exchanges.allSatisfy { $0.target == "/pinned" })
    }

    /// A pin narrows trust, and never stands in for it.
    @Test func aPinIsNoReasonToTrust() async throws {
        let server = try NginxServer(.init(.unknownRoot))
        let pin = try TestCertificates.shared().keyHash(.unknownRoot)
        let error = try await CurlTransport(trust: .testRoot.pinned(to: [pin]))
            .refusal(server.url())
        #expect(error.code == .serverCertificateHasUnknownRoot)
    }

    @Test(arguments: [TestCertificates.Server.wrongHost, .unknownRoot, .expired])
    func oneLoudTypeTakesAnybody(_ certificate: TestCertificates.Server) async throws {
        let server = try NginxServer(.init(certificate))
        let anybody = InsecureServerTrust.acceptsAnyCertificate
        #expect(try await CurlTransport(trust: anybody).seen(server.url()).target == "/")
    }

    /// A pin holds even there.
    @Test func whoTakesAnybodyMayStillPin() async throws {
        let server = try NginxServer(.init(.unknownRoot))
        let certificates = try TestCertificates.shared()
        let anybody = InsecureServerTrust.acceptsAnyCertificate
        let right = anybody.pinned(to: [try certificates.keyHash(.unknownRoot)])
        #expect(try await CurlTransport(trust: right).seen(server.url()).target == "/")
        let wrong = anybody.pinned(to: [try certificates.keyHash(.valid)])
        let error = try await CurlTransport(trust: wrong).refusal(server.url())
        #expect(error.code == .serverCertificateUntrusted)
    }
}
#endif
