// SPDX-License-Identifier: MIT

public import Foundation
internal import Synchronization

/// <https://developer.apple.com/documentation/security/errsecauthfailed>.
public let errSecAuthFailed: OSStatus = -25293
/// <https://developer.apple.com/documentation/security/errsecdecode>.
public let errSecDecode: OSStatus = -26275
/// <https://developer.apple.com/documentation/security/errsecunknownformat>.
public let errSecUnknownFormat: OSStatus = -25257
/// <https://developer.apple.com/documentation/security/errsecpassphraserequired>.
public let errSecPassphraseRequired: OSStatus = -25260
/// <https://developer.apple.com/documentation/security/errsecpkcs12verifyfailure>.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// <https://developer.apple.com/documentation/security/errsecallocate>.
public let errSecAllocate: OSStatus = -108

/// <https://developer.apple.com/documentation/security/ksecimportexportpassphrase>.
public var kSecImportExportPassphrase: CFString { "passphrase" as CFString }
/// <https://developer.apple.com/documentation/security/ksecimporttomemoryonly>.
@available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *)
public var kSecImportToMemoryOnly: CFString { "memory" as CFString }
/// <https://developer.apple.com/documentation/security/ksecimportitemidentity>.
public var kSecImportItemIdentity: CFString { "identity" as CFString }
/// <https://developer.apple.com/documentation/security/ksecimportitemcertchain>.
public var kSecImportItemCertChain: CFString { "chain" as CFString }

/// <https://developer.apple.com/documentation/security/secidentitygettypeid()>.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID }

/// <https://developer.apple.com/documentation/security/secidentitycopycertificate(_:_:)>.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// A PKCS#12 file as the stub knows it: by its bytes.
///
/// `@unchecked Sendable`: constant once it is made.
public struct PKCS12File: @unchecked Sendable {
    public var password: String
    /// Leaf first, as Security gives it.
    public var chain: [SecCertificate]
    /// A file may hold certificates alone.
    public var hasKey = true

    public init(password: String, chain: [SecCertificate], hasKey: Bool = true) {
        self.password = password
        self.chain = chain
        self.hasKey = hasKey
    }
}

/// Where an import went.
public enum ImportedInto: Equatable, Sendable {
    case memory
    /// Its path.
    case keychain(String)
    /// The user's own: what no import of ours may ever do.
    case defaultKeychain
}

/// What the stub knows and has seen, by the bytes of a file.
public enum StubSecurity {
    static let files = Mutex<[Data: PKCS12File]>([:])
    static let imports = Mutex<[Data: [ImportedInto]]>([:])

    public static func add(_ file: PKCS12File, as bytes: Data) {
        files.withLock { $0[bytes] = file }
    }

    public static func imports(of bytes: Data) -> [ImportedInto] {
        imports.withLock { $0[bytes] } ?? []
    }

    /// Whether any import in this process has touched the user's own keychain.
    public static var hasUsedDefaultKeychain: Bool {
        imports.withLock { $0.values.contains { $0.contains(.defaultKeychain) } }
    }
}

/// <https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)>: into the memory of the
/// process, but on a Mac into the keychain that is named, or the default one when none is.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let bytes = pkcs12_data as Data
    guard let options = options as? [String: Any],
        let password = options[kSecImportExportPassphrase as String] as? String
    else { return errSecParam }
    guard let file = StubSecurity.files.withLock({ $0[bytes] }) else { return errSecDecode }
    guard file.password == password, !password.isEmpty else { return errSecAuthFailed }
    guard let place = StubSecurity.place(options) else { return errSecParam }
    StubSecurity.imports.withLock { $0[bytes, default: []].append(place) }
    var item: [String: Any] = [kSecImportItemCertChain as String: file.chain]
    if file.hasKey {
        item[kSecImportItemIdentity as String] = SecIdentity(certificate: file.chain[0])
    }
    items.pointee = [item] as CFArray
    return errSecSuccess
}
