// SPDX-License-Identifier: MIT

#if !canImport(UIKit)
import Foundation
import FoundationNetworking
import Security
import Synchronization
import Testing

@testable import HTTPCore

/// A Mac before macOS 15.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ImportPlaceTests {
    private func keychain(of identity: ClientIdentity) throws -> String {
        guard case .keychain(let path) = StubSecurity.imports(of: identity.pkcs12).last else {
            throw CancellationError()
        }
        return path
    }

    /// That the stub would notice.
    @Test func anImportThatNamesNoPlaceGoesToTheDefaultKeychain() {
        #expect(StubSecurity.place([:]) == .defaultKeychain)
        #expect(StubSecurity.place([kSecImportToMemoryOnly as String: true]) == .memory)
    }

    @Test func anIdentityLivesInAKeychainOfItsOwnThatGoesWithIt() throws {
        let (first, second) = (makeIdentity(), makeIdentity())
        var unpacked: [ImportedIdentity] = [
            try ImportedIdentity(first) { try .inPrivateKeychain() },
            try ImportedIdentity(second) { try .inPrivateKeychain() },
        ]
        let paths = [try keychain(of: first), try keychain(of: second)]
        #expect(Set(paths).count == 2)
        for path in paths {
            let temporary = FileManager.default.temporaryDirectory.path
            #expect(path.hasPrefix(temporary))
            // It must not lock, or the user is asked for a password that nobody knows.
            let settings = try #require(StubSecurity.keychains[path] ?? nil)
            #expect(settings.version == 1)
            #expect(settings.lockOnSleep == false && settings.useLockInterval == false)
        }
        #expect(unpacked.allSatisfy { $0.credential.identity != nil })
        unpacked.removeFirst()
        #expect(StubSecurity.keychains.keys.contains(paths[1]))
        unpacked.removeAll()
        #expect(StubSecurity.keychains.isEmpty)
        #expect(!StubSecurity.hasUsedDefaultKeychain)
    }

    @Test func anImportThatFailsLeavesNoKeychain() {
        let identity = ClientIdentity(pkcs12: Data("junk".utf8), password: "p")
        #expect(throws: URLError.self) {
            try ImportedIdentity(identity) { try .inPrivateKeychain() }
        }
        #expect(StubSecurity.keychains.isEmpty)
    }

    @Test func anEmptyFileNeedsNoKeychain() {
        let identity = ClientIdentity(pkcs12: Data(), password: "p")
        let error = #expect(throws: URLError.self) {
            try ImportedIdentity(identity) {
                Issue.record("asked for a place")
                return try .inPrivateKeychain()
            }
        }
        #expect(error?.code == .clientCertificateRequired)
    }

    @Test func aKeychainThatCanNotBeMadeFailsTheImport() {
        let identity = makeIdentity()
        StubSecurity.nextCreation.withLock { $0 = errSecAllocate }
        let error = #expect(throws: URLError.self) {
            try ImportedIdentity(identity) { try .inPrivateKeychain() }
        }
        #expect(
            error?.localizedDescription
                == TLSFault.identityHasNoPlace.urlError().localizedDescription)
        #expect(StubSecurity.imports(of: identity.pkcs12).isEmpty)
    }

    @Test func aKeychainThatWouldLockIsDeletedAgain() {
        let identity = makeIdentity()
        StubSecurity.nextSettings.withLock { $0 = errSecAllocate }
        #expect(throws: URLError.self) {
            try ImportedIdentity(identity) { try .inPrivateKeychain() }
        }
        #expect(StubSecurity.keychains.isEmpty)
        #expect(StubSecurity.imports(of: identity.pkcs12).isEmpty)
    }

    @Test func theKeychainOfASessionGoesWhenTheSessionHasEnded() async throws {
        let identity = makeIdentity()
        var pool: URLSessionPool? = URLSessionPool(
            .ephemeral,
            try TLSHandshake(TLSSettings(identity: identity)) { try .inPrivateKeychain() })
        #expect(pool?.session != nil)
        let path = try keychain(of: identity)
        #expect(StubSecurity.keychains.keys.contains(path))
        pool = nil
        while StubSecurity.keychains.keys.contains(path) { await Task.yield() }
    }
}
#endif
