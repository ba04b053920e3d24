// SPDX-License-Identifier: MIT

public import Foundation

// The types of Security that Foundation's own functions take; a file that uses them imports Security,
// which hands them on.

/// <https://developer.apple.com/documentation/security/seccertificate>.
public final class SecCertificate: CoreFoundationType, Hashable {
    public static let typeID: CFTypeID = 1
    public let der: Data

    public init(der: Data) {
        self.der = der
    }

    /// By `CFEqual`, as all of Core Foundation's types.
    public static func == (one: SecCertificate, other: SecCertificate) -> Bool {
        one.der == other.der
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }
}

/// <https://developer.apple.com/documentation/security/secidentity>.
public final class SecIdentity: CoreFoundationType {
    public static let typeID: CFTypeID = 2
    public let certificate: SecCertificate

    public init(certificate: SecCertificate) {
        self.certificate = certificate
    }
}

/// <https://developer.apple.com/documentation/security/sectrust>.
public final class SecTrust: CoreFoundationType {
    public static let typeID: CFTypeID = 3
    public let chain: [SecCertificate]
    /// What evaluation says, given the anchors that were set: nil is trusted, else the code.
    public let verdict: (_ anchors: [SecCertificate]?, _ anchorsOnly: Bool) -> OSStatus?
    public var anchors: [SecCertificate]?
    public var anchorsOnly: Bool?
    public var evaluations = 0
    /// Whether anchors can be set.
    public var takesAnchors = true

    public init(
        chain: [SecCertificate], verdict: @escaping ([SecCertificate]?, Bool) -> OSStatus?
    ) {
        self.chain = chain
        self.verdict = verdict
    }
}
