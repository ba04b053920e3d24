// SPDX-License-Identifier: MIT

#if !canImport(UIKit)
import Foundation
import FoundationNetworking
import Security
import Synchronization
import Testing

@testable import HTTPCore

@Suite(.serialized, .timeLimit(.minutes(5)))
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

    /// A Mac before macOS 15.
    private static func keychainPlace() throws -> ImportPlace {
        let maker: any PrivateKeychainMaking.Type = ImportPlace.self
        return try maker.inPrivateKeychain()
    }

    @Test func anIdentityLivesInAKeychainOfItsOwnThatGoesWithItsPlace() throws {
        let (first, second) = (makeIdentity(), makeIdentity())
        var places = [try Self.keychainPlace(), try Self.keychainPlace()]
        let credentials = [
            try first.credential(in: places[0]), try second.credential(in: places[1]),
        ]
        #expect(credentials.allSatisfy { $0.identity != nil })
        let paths = [try keychain(of: first), try keychain(of: second)]
        #expect(Set(paths).count == 2)
        for path in paths {
            #expect(path.hasPrefix(NSTemporaryDirectory()))
            // It must not lock, or the user is asked for a password that nobody knows.
            let settings = try #require(StubSecurity.keychains[path] ?? nil)
            #expect(settings.version == 1)
            #expect(settings.lockOnSleep == false && settings.useLockInterval == false)
        }
        places.removeFirst()
        #expect(Array(StubSecurity.keychains.keys) == [paths[1]])
        places.removeAll()
        #expect(StubSecurity.keychains.isEmpty)
        #expect(!StubSecurity.hasUsedDefaultKeychain)
    }

    @Test(
        arguments: [
            ClientIdentity(pkcs12: Data("junk".utf8), password: "p"),
            ClientIdentity(pkcs12: Data(), password: "p"),
        ])
    func anImportThatFailsLeavesNoKeychain(_ identity: ClientIdentity) {
        #expect(throws: URLError.self) {
            try TLSHandshake(TLSSettings(identity: identity), in: Self.keychainPlace)
        }
        #expect(StubSecurity.keychains.isEmpty)
    }

    @Test func aKeychainThatCanNotBeMadeOrWouldLockIsAnErrorAndLeavesNone() {
        for next in [\StubSecurity.Failures.creation, \.settings] {
            let identity = makeIdentity()
            StubSecurity.failures.withLock { $0[keyPath: next] = errSecAllocate }
            let error = #expect(throws: URLError.self) {
                try TLSHandshake(TLSSettings(identity: identity), in: Self.keychainPlace)
            }
            #expect(error?.code == .clientCertificateRejected)
            #expect(StubSecurity.keychains.isEmpty)
            #expect(StubSecurity.imports(of: identity.pkcs12).isEmpty)
        }
    }

    @Test func theKeychainOfASessionGoesWhenTheSessionHasEnded() async throws {
        let identity = makeIdentity()
        var pool: URLSessionPool? = URLSessionPool(
            .ephemeral,
            try TLSHandshake(TLSSettings(identity: identity), in: Self.keychainPlace))
        #expect(pool?.session != nil)
        let path = try keychain(of: identity)
        #expect(StubSecurity.keychains.keys.contains(path))
        pool = nil
        while StubSecurity.keychains.keys.contains(path) { await Task.yield() }
    }
}
#endif
