// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security
import Testing

@testable import HTTPCore

struct ImportedIdentityTests {
    private func unpack(_ identity: ClientIdentity) throws -> ImportedIdentity {
        try ImportedIdentity(identity) { try .forThisSystem() }
    }

    /// O-49.
    @Test func theCredentialTakesTheIntermediatesWithoutTheLeaf() throws {
        let (leaf, issuer, root) = (
            SecCertificate.named("leaf"), SecCertificate.named("issuer"),
            SecCertificate.named("root")
        )
        let credential = try unpack(makeIdentity(chain: [leaf, issuer, root])).credential
        #expect(credential.identity?.certificate.der == leaf.der)
        let others = credential.certificates as? [SecCertificate]
        #expect(others?.map(\.der) == [issuer.der, root.der])
        // What Apple's page asks for; the parameter is ignored.
        #expect(credential.askedPersistence == .forSession)
    }

    /// O-48, as far as Security tells them apart.
    @Test func eachFaultOfAFileHasASentenceOfItsOwn() {
        let good = makeIdentity(password: "right")
        let faults: [(ClientIdentity, TLSFault)] = [
            (ClientIdentity(pkcs12: good.pkcs12, password: "wrong"), .identityHasAnotherPassword),
            (ClientIdentity(pkcs12: good.pkcs12), .identityHasNoPassword),
            (ClientIdentity(pkcs12: Data("junk".utf8), password: "p"), .identityIsNoPKCS12),
            (ClientIdentity(pkcs12: Data(), password: "p"), .identityIsEmpty),
            (makeIdentity(hasKey: false), .identityHasNoKey),
        ]
        for (identity, fault) in faults {
            let error = #expect(throws: URLError.self) { try unpack(identity) }
            #expect(error?.code == fault.urlError().code)
            #expect(error?.localizedDescription == fault.urlError().localizedDescription)
        }
    }

    @Test func anImportGoesToMemoryAndNeverToTheDefaultKeychain() throws {
        let identity = makeIdentity()
        _ = try unpack(identity)
        #expect(StubSecurity.imports(of: identity.pkcs12) == [.memory])
        #expect(!StubSecurity.hasUsedDefaultKeychain)
    }
}
