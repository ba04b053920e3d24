// SPDX-License-Identifier: MIT

public import Foundation

/// A client certificate with its private key, to show a server that asks for one (mutual TLS).
public struct ClientIdentity: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let pkcs12: Data
    let password: String

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - pkcs12: The bytes of a `.p12` or `.pfx` file: key, certificate and the intermediates that the
    ///     server needs. A file that can't be read fails the request, in words that say why.
    ///   - password: What the file is encrypted with.
    public init(pkcs12: Data, password: String = "") {
        self.pkcs12 = pkcs12
        self.password = password
    }

    public var description: String { "ClientIdentity(\(pkcs12.count) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whom to trust as a server.
///
/// The default is what the system trusts.
public struct ServerTrust: Hashable, Sendable {
    /// Certificates in PEM.
    var roots: Data?
    var includesSystem = true
    var acceptsAnybody = false
    /// Nil: any key will do.
    var pins: [Data]?

    /// The system's certificate authorities.
    public static let system = ServerTrust()

    /// Certificate authorities of your own.
    ///
    /// - Parameters:
    ///   - pem: Certificates in PEM, one after another.
    ///   - addingToSystem: Trust the system's too. By default only these.
    /// - Returns: Trust in servers that they vouch for.
    public static func roots(_ pem: Data, addingToSystem: Bool = false) -> ServerTrust {
        ServerTrust(roots: pem, includesSystem: addingToSystem)
    }

    /// Returns the same trust, narrowed to servers whose public key has one of these hashes.
    ///
    /// Another key is a `URLError` of code `serverCertificateUntrusted`. A pin is no reason to trust: the
    /// certificate is verified as before.
    ///
    /// - Parameter hashes: SHA-256 of the key's SubjectPublicKeyInfo, 32 bytes each (RFC 7469, section
    ///   2.4). Have a second one at hand for the day when the server changes its key. None at all: no
    ///   server is trusted.
    /// - Returns: The narrower trust.
    public func pinned(to hashes: [Data]) -> ServerTrust {
        var trust = self
        trust.pins = hashes
        return trust
    }
}

/// The one way to talk to a server without knowing who it is.
///
/// > Important: Anybody between you and the server can read and change everything. For tests on a
/// > machine of your own, never in an app that ships.
public enum InsecureServerTrust {
    /// Takes any certificate of any server.
    public static let acceptsAnyCertificate = ServerTrust(acceptsAnybody: true)
}

/// What a connection was made with: requests share one only where all of it is the same.
struct TLSSettings: Hashable, Sendable {
    var trust = ServerTrust.system
    var identity: ClientIdentity?
}
