// SPDX-License-Identifier: MIT

internal import Foundation
public import FoundationNetworking
internal import Synchronization

/// <https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodservertrust>.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
/// <https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodclientcertificate>.
public let NSURLAuthenticationMethodClientCertificate =
    "NSURLAuthenticationMethodClientCertificate"

/// What Linux's classes have no room for, beside them.
///
/// `@unchecked Sendable`: the stubs' objects are touched by one test at a time.
private struct Beside: @unchecked Sendable {
    var identity: SecIdentity?
    var certificates: [Any]?
    var persistence: URLCredential.Persistence?
    var trust: SecTrust?
}

private let beside = Mutex<[ObjectIdentifier: Beside]>([:])

extension URLCredential {
    /// <https://developer.apple.com/documentation/foundation/urlcredential/init(identity:certificates:persistence:)>.
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?,
        persistence: URLCredential.Persistence
    ) {
        self.init(user: "", password: "", persistence: persistence)
        let mine = Beside(identity: identity, certificates: certArray, persistence: persistence)
        beside.withLock { $0[ObjectIdentifier(self)] = mine }
    }

    /// <https://developer.apple.com/documentation/foundation/urlcredential/init(trust:)>.
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
        let mine = Beside(trust: trust)
        beside.withLock { $0[ObjectIdentifier(self)] = mine }
    }

    private var own: Beside { beside.withLock { $0[ObjectIdentifier(self)] } ?? Beside() }

    /// <https://developer.apple.com/documentation/foundation/urlcredential/identity>.
    public var identity: SecIdentity? { own.identity }

    /// <https://developer.apple.com/documentation/foundation/urlcredential/certificates>.
    public var certificates: [Any] { own.certificates ?? [] }

    /// For tests.
    public var trust: SecTrust? { own.trust }
    /// For tests: what was asked for.
    public var askedPersistence: URLCredential.Persistence? { own.persistence }
}

extension URLProtectionSpace {
    /// <https://developer.apple.com/documentation/foundation/urlprotectionspace/servertrust>.
    public var serverTrust: SecTrust? {
        beside.withLock { $0[ObjectIdentifier(self)] }?.trust
    }

    /// For tests: a challenge's space, of a server that shows these certificates.
    public convenience init(host: String, method: String, trust: SecTrust? = nil) {
        self.init(
            host: host, port: 443, protocol: "https", realm: nil, authenticationMethod: method)
        let mine = Beside(trust: trust)
        beside.withLock { $0[ObjectIdentifier(self)] = mine }
    }
}
