// SPDX-License-Identifier: MIT

#if canImport(Security)
internal import CryptoKit
internal import Foundation
internal import Security

/// What a session answers when a server shows its certificate or asks for ours.
struct TLSHandshake {
    private let trust: ServerTrust
    private let anchors: [SecCertificate]?
    private let identity: ImportedIdentity?

    /// Unpacks the certificates of a setting.
    ///
    /// - Throws: `URLError` that says which can't be read.
    init(
        _ tls: TLSSettings, in place: () throws -> ImportPlace = { try ImportPlace.forThisSystem() }
    ) throws {
        trust = tls.trust
        identity = try tls.identity.map { try ImportedIdentity($0, in: place) }
        anchors = try trust.roots.map { pem in
            let ders = CertificateBytes.der(inPEM: pem) ?? []
            let certificates = ders.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard !ders.isEmpty, certificates.count == ders.count else {
                throw TLSFault.rootsAreNoPEM.urlError()
            }
            return certificates
        }
    }

    /// The answer to a challenge.
    ///
    /// What it isn't about is left to the system, the server's trust too where nothing was said of it.
    ///
    /// - Throws: `URLError` where the server isn't to be trusted.
    func answer(
        _ challenge: URLProtectionSpace
    ) throws -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        switch challenge.authenticationMethod {
        case NSURLAuthenticationMethodClientCertificate:
            if let identity { return (.useCredential, identity.credential) }
        case NSURLAuthenticationMethodServerTrust where trust != .system:
            guard let server = challenge.serverTrust else {
                throw TLSFault.serverIsNotTrusted.urlError(challenge.host)
            }
            if let fault = fault(of: server) { throw fault.urlError(challenge.host) }
            // With pins alone, the system goes on to decide as it does without them.
            let isOurs = anchors != nil || trust.acceptsAnybody
            if isOurs { return (.useCredential, URLCredential(trust: server)) }
        default: break
        }
        return (.performDefaultHandling, nil)
    }

    private func fault(of server: SecTrust) -> TLSFault? {
        if let anchors {
            let statuses = [
                SecTrustSetAnchorCertificates(server, anchors as CFArray),
                SecTrustSetAnchorCertificatesOnly(server, !trust.includesSystem),
            ]
            guard statuses == [errSecSuccess, errSecSuccess] else { return .serverIsNotTrusted }
        }
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(server, &error)
        guard isTrusted || trust.acceptsAnybody else {
            return fault(error.map { CFErrorGetCode($0) })
        }
        guard !trust.pins.isEmpty else { return nil }
        let key = leaf(of: server).flatMap {
            CertificateBytes.publicKeyInfo(ofDER: SecCertificateCopyData($0) as Data)
        }
        let isPinned = key.map { trust.pins.contains(Data(SHA256.hash(data: $0))) } ?? false
        return isPinned ? nil : .serverHasAnotherKey
    }

    private func leaf(of server: SecTrust) -> SecCertificate? {
        if #available(iOS 15, macOS 12, tvOS 15, watchOS 8, *) {
            return (SecTrustCopyCertificateChain(server) as? [SecCertificate])?.first
        }
        return SecTrustGetCertificateAtIndex(server, 0)
    }

    private func fault(_ code: CFIndex?) -> TLSFault {
        switch code.map(OSStatus.init(truncatingIfNeeded:)) {
        case errSecCertificateExpired: .serverIsExpired
        case errSecCertificateNotValidYet: .serverIsNotYetValid
        case errSecHostNameMismatch: .serverIsAnother
        case errSecNotTrusted, errSecCreateChainFailed: .serverHasUnknownIssuer
        default: .serverIsNotTrusted
        }
    }
}
#endif
