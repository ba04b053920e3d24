// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security
import Testing

@testable import HTTPCore

struct TLSHandshakeTests {
    private static let anotherKey = "h.example has another key than it was pinned to."

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
        _ code: URLError.Code, _ sentence: String, _ trust: ServerTrust, _ server: SecTrust,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: URLError.self, sourceLocation: sourceLocation) {
            try answer(TLSSettings(trust: trust), server)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.localizedDescription == sentence, sourceLocation: sourceLocation)
        #expect(error?.requestMayHaveArrived == false, sourceLocation: sourceLocation)
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
        #expect(server.anchors == [Server.certificate])
        #expect(server.anchorsOnly == !addingToSystem)
    }

    /// In the codes and words of `CurlError`.
    @Test(
        arguments: [
            (errSecCertificateExpired, URLError.Code.serverCertificateHasBadDate, "has expired"),
            (errSecCertificateNotValidYet, .serverCertificateNotYetValid, "is not valid yet"),
            (errSecHostNameMismatch, .serverCertificateUntrusted, "is not one for h.example"),
            (
                errSecNotTrusted, .serverCertificateHasUnknownRoot,
                "has an issuer that is not trusted"
            ),
            (
                errSecCreateChainFailed, .serverCertificateHasUnknownRoot,
                "has an issuer that is not trusted"
            ),
            (errSecCertificateRevoked, .serverCertificateUntrusted, "is not trusted"),
        ])
    func aServerThatTheRootsDoNotVouchForIsRefusedInWords(
        _ status: OSStatus, _ code: URLError.Code, _ reason: String
    ) {
        let server = Server.trust(systemSays: nil) { _, _ in status }
        expect(code, "The certificate of h.example \(reason).", .roots(Server.pem), server)
    }

    /// Else the system's anchors would decide.
    @Test func aServerIsRefusedWhereItsAnchorsCanNotBeSet() {
        let server = Server.trust(systemSays: nil)
        server.takesAnchors = false
        expect(
            .serverCertificateUntrusted, "The certificate of h.example is not trusted.",
            .roots(Server.pem), server)
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
        expect(.serverCertificateUntrusted, Self.anotherKey, trust, Server.trust(systemSays: nil))
        let roots = ServerTrust.roots(Server.pem).pinned(to: [Data(count: 32)])
        expect(.serverCertificateUntrusted, Self.anotherKey, roots, Server.trust(systemSays: nil))
    }

    @Test func aPinThatFitsMakesNoBadCertificateGood() {
        let trust = ServerTrust.system.pinned(to: [Server.pin])
        expect(
            .serverCertificateHasBadDate, "The certificate of h.example has expired.", trust,
            Server.trust(systemSays: errSecCertificateExpired))
    }

    /// libcurl compares the key of the server itself too, not those of its issuers.
    @Test func thePinOfAnIssuerDoesNotCount() {
        let server = SecTrust(chain: [.named("leaf"), Server.certificate]) { _, _ in nil }
        expect(
            .serverCertificateUntrusted, Self.anotherKey, .system.pinned(to: [Server.pin]), server)
    }

    @Test func aServerWithoutACertificateIsRefused() {
        let server = SecTrust(chain: []) { _, _ in nil }
        expect(
            .serverCertificateUntrusted, Self.anotherKey, .system.pinned(to: [Server.pin]), server)
    }

    // MARK: No verification

    @Test func anybodyIsTakenOnlyByTheTypeThatSaysSo() throws {
        let server = Server.trust(systemSays: errSecNotTrusted)
        let trust = InsecureServerTrust.acceptsAnyCertificate
        let answer = try answer(TLSSettings(trust: trust), server)
        #expect(answer.disposition == .useCredential)
        #expect(answer.credential?.trust === server)
        expect(
            .serverCertificateUntrusted, Self.anotherKey, trust.pinned(to: [Data(count: 32)]),
            Server.trust(systemSays: errSecNotTrusted))
    }

    /// The system then refuses it, or not; nobody is taken here.
    @Test func aChallengeWithoutAServerToJudgeIsTheSystems() throws {
        let tls = TLSSettings(trust: InsecureServerTrust.acceptsAnyCertificate)
        let answer = try answer(tls, nil)
        #expect(answer.disposition == .performDefaultHandling)
        #expect(answer.credential == nil)
    }
}
