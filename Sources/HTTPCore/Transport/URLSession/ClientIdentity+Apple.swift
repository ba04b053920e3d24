// SPDX-License-Identifier: MIT

#if canImport(Security)
internal import Foundation
internal import Security

extension ClientIdentity {
    /// Unpacks the file; the credential is good for as long as the place is kept.
    ///
    /// - Throws: `URLError` whose sentence, the one that `CurlTransport` has for it, says what is wrong.
    func credential(in place: ImportPlace) throws -> URLCredential {
        var items: CFArray?
        var options = place.options
        options[kSecImportExportPassphrase as String] = password
        switch SecPKCS12Import(pkcs12 as CFData, options as CFDictionary, &items) {
        case errSecSuccess: break
        case errSecAuthFailed, errSecPkcs12VerifyFailure:
            throw Self.fault("The password of the client certificate is wrong.")
        case errSecDecode: throw Self.fault("The client certificate is no readable PKCS#12 file.")
        case let status: throw Self.fault("The client certificate is not taken (\(status)).")
        }
        let item = (items as? [[String: Any]])?.first
        guard let found = item?[kSecImportItemIdentity as String].map({ $0 as AnyObject }),
            CFGetTypeID(found) == SecIdentityGetTypeID()
        else { throw Self.fault("The client certificate comes without its private key.") }
        // `as?` to a type of Core Foundation always succeeds, so Swift refuses to compile it.
        let identity = unsafeDowncast(found, to: SecIdentity.self)
        var own: SecCertificate?
        SecIdentityCopyCertificate(identity, &own)
        // The chain has the identity's own certificate too; a credential takes those after it.
        let chain = item?[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        let others = chain.filter { $0 != own }
        return URLCredential(
            identity: identity, certificates: others.isEmpty ? nil : others,
            persistence: .forSession)
    }

    static func fault(_ sentence: String) -> URLError {
        URLError(.clientCertificateRejected, saying: sentence)
    }
}
#endif
