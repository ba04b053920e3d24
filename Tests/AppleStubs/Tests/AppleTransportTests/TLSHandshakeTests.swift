// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security
import Testing

@testable import HTTPCore

struct TLSHandshakeTests {
    private typealias Answer = (
        disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?
    )

    private func answer(
        _ tls: TLSSettings, _ server: SecTrust? = nil,
        method: String = NSURLAuthenticationMethodServerTrust
    ) throws -> Answer {
        try TLSHandshake(tls).answer(
            URLProtectionSpace(host: "h.example", method: method, trust: server))
    }

    private func expect(
        _ fault: TLSFault, _ trust: ServerTrust, _ server: SecTrust,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: URLError.self, sourceLocation: sourceLocation) {
            try answer(TLSSettings(trust: trust), server)
        }
        let expected = fault.urlError("h.example")
        #expect(error?.code == expected.code, sourceLocation: sourceLocation)
        #expect(
            error?.localizedDescription == expected.localizedDescription,
            sourceLocation: sourceLocation)
    }

    // MARK: Who answers

    @Test(
        arguments: [
            NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodNTLM,
        ])
    func withoutSettingsEverythingIsLeftToTheSystem(_ method: String) throws {
        let server = Server.trust(systemSays: errSecNotTrusted)
        let answer = try answer(TLSSettings(), server, method: method)
        #expect(answer.disposition == .performDefaultHandling)
        #expect(answer.credential == nil)
        #expect(server.evaluations == 0)
    }

    @Test func theIdentityIsShownToWhoAsksForOneAndTheServerIsStillTheSystemsToJudge() throws {
        let tls = TLSSettings(identity: makeIdentity())
        let shown = try answer(tls, method: NSURLAuthenticationMethodClientCertificate)
        #expect(shown.disposition == .useCredential)
        #expect(shown.credential?.identity != nil)
        let server = Server.trust(systemSays: errSecNotTrusted)
        let judged = try answer(tls, server)
        #expect(judged.disposition == .performDefaultHandling)
        #expect(judged.credential == nil)
        #expect(server.evaluations == 0)
        let basic = try answer(tls, method: NSURLAuthenticationMethodHTTPBasic)
        #expect(basic.disposition == .performDefaultHandling)
    }

    @Test func theIdentityOfAServerWithRootsOfItsOwnIsShownToo() throws {
        let tls = TLSSettings(trust: .roots(Server.pem), identity: makeIdentity())
        let shown = try answer(tls, method: NSURLAuthenticationMethodClientCertificate)
        #expect(shown.credential?.identity != nil)
    }

    // MARK: Roots

    @Test(arguments: [false, true])
    func rootsAreTheOnlyAnchorsUnlessTheSystemsAreAsked(_ addingToSystem: Bool) throws {
        let server = Server.trust(systemSays: errSecNotTrusted)
        let trust = ServerTrust.roots(Server.pem, addingToSystem: addingToSystem)
        let answer = try answer(TLSSettings(trust: trust), server)
        #expect(answer.disposition == .useCredential)
        #expect(answer.credential?.trust === server)
        #expect(server.anchors?.map(\.der) == [Server.certificate.der])
        #expect(server.anchorsOnly == !addingToSystem)
    }

    @Test(
        arguments: [
            (errSecCertificateExpired, TLSFault.serverIsExpired),
            (errSecCertificateNotValidYet, .serverIsNotYetValid),
            (errSecHostNameMismatch, .serverIsAnother),
            (errSecNotTrusted, .serverHasUnknownIssuer),
            (errSecCreateChainFailed, .serverHasUnknownIssuer),
            (errSecCertificateRevoked, .serverIsNotTrusted),
        ])
    func aServerThatTheRootsDoNotVouchForIsRefusedInWords(_ code: OSStatus, _ fault: TLSFault) {
        let server = Server.trust(systemSays: nil) { _, _ in code }
        expect(fault, .roots(Server.pem), server)
    }

    @Test(arguments: ["", "junk", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
    func rootsThatCanNotBeReadAreAnErrorBeforeAnythingIsSent(_ pem: String) {
        let error = #expect(throws: URLError.self) {
            try TLSHandshake(TLSSettings(trust: .roots(Data(pem.utf8))))
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    // MARK: Pins

    @Test func withAPinThatFitsTheSystemGoesOnToDecide() throws {
        let server = Server.trust(systemSays: nil)
        let trust = ServerTrust.system.pinned(to: [Data(count: 32), Server.pin])
        let answer = try answer(TLSSettings(trust: trust), server)
        #expect(answer.disposition == .performDefaultHandling)
        #expect(server.anchors == nil)
    }

    @Test func anotherKeyIsRefusedThoughItsCertificateIsGood() {
        let trust = ServerTrust.system.pinned(to: [Data(count: 32)])
        expect(.serverHasAnotherKey, trust, Server.trust(systemSays: nil))
        let roots = ServerTrust.roots(Server.pem).pinned(to: [Data(count: 32)])
        expect(.serverHasAnotherKey, roots, Server.trust(systemSays: nil))
    }

    @Test func aPinThatFitsMakesNoBadCertificateGood() {
        let trust = ServerTrust.system.pinned(to: [Server.pin])
        expect(.serverIsExpired, trust, Server.trust(systemSays: errSecCertificateExpired))
    }

    /// libcurl compares the key of the server itself too, not those of its issuers.
    @Test func thePinOfAnIssuerDoesNotCount() {
        let server = SecTrust(chain: [.named("leaf"), Server.certificate]) { _, _ in nil }
        expect(.serverHasAnotherKey, .system.pinned(to: [Server.pin]), server)
    }

    @Test func aServerWithoutACertificateIsRefused() {
        let server = SecTrust(chain: []) { _, _ in nil }
        expect(.serverHasAnotherKey, .system.pinned(to: [Server.pin]), server)
    }

    // MARK: No verification

    @Test func anybodyIsTakenOnlyByTheTypeThatSaysSo() throws {
        let server = Server.trust(systemSays: errSecNotTrusted)
        let trust = InsecureServerTrust.acceptsAnyCertificate
        let answer = try answer(TLSSettings(trust: trust), server)
        #expect(answer.disposition == .useCredential)
        #expect(answer.credential?.trust === server)
        expect(
            .serverHasAnotherKey, trust.pinned(to: [Data(count: 32)]),
            Server.trust(systemSays: errSecNotTrusted))
    }

    @Test func aChallengeWithoutAServerToJudgeIsRefused() {
        let error = #expect(throws: URLError.self) {
            try answer(TLSSettings(trust: InsecureServerTrust.acceptsAnyCertificate), nil)
        }
        #expect(error?.code == .serverCertificateUntrusted)
    }
}
