// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security
import Testing

@testable import HTTPCore

struct ClientIdentityTests {
    private func unpack(_ identity: ClientIdentity) throws -> URLCredential {
        try identity.credential(in: .forThisSystem())
    }

    /// O-49.
    @Test func theCredentialTakesTheIntermediatesWithoutTheLeaf() throws {
        let chain = ["leaf", "issuer", "root"].map(SecCertificate.named)
        let credential = try unpack(makeIdentity(chain: chain))
        #expect(credential.identity?.certificate == chain[0])
        #expect(credential.certificates as? [SecCertificate] == Array(chain[1...]))
        // What Apple's page asks for; the parameter is ignored.
        #expect(credential.askedPersistence == .forSession)
    }

    @Test func aLeafAloneHasNoCertificatesAfterIt() throws {
        let credential = try unpack(makeIdentity())
        #expect(credential.identity != nil)
        #expect(credential.certificates.isEmpty)
    }

    /// O-48, as far as Security tells them apart.
    ///
    /// The first two sentences are the ones that `CurlError` has.
    @Test func eachFaultOfAFileHasASentenceOfItsOwn() {
        let good = makeIdentity(password: "right")
        let faults = [
            (
                ClientIdentity(pkcs12: good.pkcs12, password: "wrong"),
                "The password of the client certificate is wrong."
            ),
            (
                ClientIdentity(pkcs12: Data("junk".utf8), password: "p"),
                "The client certificate is no readable PKCS#12 file."
            ),
            (
                makeIdentity(hasKey: false),
                "The client certificate comes without its private key."
            ),
        ]
        for (identity, sentence) in faults {
            let error = #expect(throws: URLError.self) { try unpack(identity) }
            #expect(error?.code == .clientCertificateRejected)
            #expect(error?.localizedDescription == sentence)
            #expect(error?.requestMayHaveArrived == false)
        }
    }

    /// Security takes no file that has no password.
    @Test func anEmptyPasswordIsAWrongOne() {
        let identity = makeIdentity(password: "")
        let error = #expect(throws: URLError.self) { try unpack(identity) }
        #expect(error?.localizedDescription == "The password of the client certificate is wrong.")
    }

    @Test func anImportGoesToMemoryAndNeverToTheDefaultKeychain() throws {
        let identity = makeIdentity()
        _ = try unpack(identity)
        #expect(StubSecurity.imports(of: identity.pkcs12) == [.memory])
        #expect(!StubSecurity.hasUsedDefaultKeychain)
    }
}
