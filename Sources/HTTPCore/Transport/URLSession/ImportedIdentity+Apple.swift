// SPDX-License-Identifier: MIT

#if canImport(Security)
internal import Foundation
internal import Security

/// A client certificate, unpacked.
struct ImportedIdentity {
    let credential: URLCredential
    /// The key is of no use any more when its place goes.
    private let place: ImportPlace

    /// Unpacks a PKCS#12 file.
    ///
    /// - Throws: `URLError` whose sentence says what is wrong with the file or its password.
    init(_ identity: ClientIdentity, in place: () throws -> ImportPlace) throws {
        guard !identity.pkcs12.isEmpty else { throw TLSFault.identityIsEmpty.urlError() }
        let place = try place()
        var options = place.options
        options[kSecImportExportPassphrase as String] = identity.password
        var items: CFArray?
        let status = SecPKCS12Import(
            identity.pkcs12 as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            throw Self.fault(status, hasPassword: !identity.password.isEmpty).urlError()
        }
        for case let item in items as? [[String: Any]] ?? [] {
            guard let found = item[kSecImportItemIdentity as String].map({ $0 as AnyObject }),
                CFGetTypeID(found) == SecIdentityGetTypeID()
            else { continue }
            // `as?` to a type of Core Foundation always succeeds, so Swift refuses to compile it.
            let secIdentity = unsafeDowncast(found, to: SecIdentity.self)
            let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
            credential = Self.credential(secIdentity, chain)
            self.place = place
            return
        }
        throw TLSFault.identityHasNoKey.urlError()
    }

    /// The chain has the identity's own certificate too; a credential takes those that come after it.
    private static func credential(
        _ identity: SecIdentity, _ chain: [SecCertificate]
    ) -> URLCredential {
        var own: SecCertificate?
        SecIdentityCopyCertificate(identity, &own)
        let leaf = own.map { SecCertificateCopyData($0) as Data }
        let others = chain.filter { SecCertificateCopyData($0) as Data != leaf }
        return URLCredential(
            identity: identity, certificates: others.isEmpty ? nil : others,
            persistence: .forSession)
    }

    private static func fault(_ status: OSStatus, hasPassword: Bool) -> TLSFault {
        switch status {
        case errSecAuthFailed, errSecPkcs12VerifyFailure:
            hasPassword ? .identityHasAnotherPassword : .identityHasNoPassword
        case errSecPassphraseRequired: .identityHasNoPassword
        case errSecDecode, errSecUnknownFormat: .identityIsNoPKCS12
        default: .identityHasNoPlace
        }
    }
}
#endif
