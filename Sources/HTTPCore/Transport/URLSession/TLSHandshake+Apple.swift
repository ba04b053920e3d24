// SPDX-License-Identifier: MIT

#if canImport(Security)
internal import CryptoKit
internal import Foundation
internal import Security

/// What a session answers when a server shows its certificate or asks for ours.
struct TLSHandshake {
    private let trust: ServerTrust
    private let anchors: [SecCertificate]?
    /// Nil: any key will do.
    private let pins: [Data]?
    private let identity: (credential: URLCredential, place: ImportPlace)?

    /// Unpacks the certificates of a setting.
    ///
    /// - Throws: `URLError` that says which can't be read.
    init(_ tls: TLSSettings, in place: () throws -> ImportPlace = ImportPlace.forThisSystem) throws
    {
        trust = tls.trust
        pins = trust.pins == ServerTrust.system.pins ? nil : trust.pins
        identity = try tls.identity.map { identity in
            guard !identity.pkcs12.isEmpty else {
                throw URLError(
                    .clientCertificateRequired, saying: "The client certificate is empty.")
            }
            let place = try place()
            return (try identity.credential(in: place), place)
        }
        anchors = try trust.roots.map { pem in
            let ders = CertificateBytes.der(inPEM: pem)
            let anchors = ders.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard !ders.isEmpty, anchors.count == ders.count else {
                throw URLError(
                    .secureConnectionFailed, saying: "The certificates to trust could not be read.")
            }
            return anchors
        }
    }

    /// The answer to a challenge.
    ///
    /// What it isn't about is left to the system, the server's trust too where nothing was said of it.
    ///
    /// - Throws: `URLError` where the server isn't to be trusted.
    func answer(
        _ space: URLProtectionSpace
    ) throws -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let method = space.authenticationMethod
        if method == NSURLAuthenticationMethodClientCertificate, let identity {
            return (.useCredential, identity.credential)
        }
        let isAsked = method == NSURLAuthenticationMethodServerTrust && trust != .system
        guard isAsked, let server = space.serverTrust else { return (.performDefaultHandling, nil) }
        try check(server, of: space.host)
        // With pins alone, the system goes on to decide as it does without them.
        let isOurs = anchors != nil || trust.acceptsAnybody
        return isOurs
            ? (.useCredential, URLCredential(trust: server)) : (.performDefaultHandling, nil)
    }

    private func check(_ server: SecTrust, of host: String) throws {
        var status = errSecSuccess
        if let anchors {
            status = SecTrustSetAnchorCertificates(server, anchors as CFArray)
            // Were this to fail, the anchors alone are trusted: the call before sees to that.
            SecTrustSetAnchorCertificatesOnly(server, !trust.includesSystem)
        }
        var error: CFError?
        let isTrusted = status == errSecSuccess && SecTrustEvaluateWithError(server, &error)
        guard isTrusted || trust.acceptsAnybody else {
            throw Self.fault(error.map { OSStatus(truncatingIfNeeded: CFErrorGetCode($0)) }, host)
        }
        guard let pins else { return }
        let key = Self.leaf(of: server).flatMap {
            CertificateBytes.publicKeyInfo(ofDER: SecCertificateCopyData($0) as Data)
        }
        guard let key, pins.contains(Data(SHA256.hash(data: key))) else {
            throw URLError(
                .serverCertificateUntrusted,
                saying: "\(host) has another key than it was pinned to.")
        }
    }

    private static func leaf(of server: SecTrust) -> SecCertificate? {
        if #available(iOS 15, macOS 12, tvOS 15, watchOS 8, *) {
            return (SecTrustCopyCertificateChain(server) as? [SecCertificate])?.first
        }
        return SecTrustGetCertificateAtIndex(server, 0)
    }

    /// In the codes and words that `CurlTransport` has for it.
    private static func fault(_ status: OSStatus?, _ host: String) -> URLError {
        let (code, reason): (URLError.Code, String) =
            switch status {
            case errSecCertificateExpired: (.serverCertificateHasBadDate, "has expired")
            case errSecCertificateNotValidYet: (.serverCertificateNotYetValid, "is not valid yet")
            case errSecHostNameMismatch: (.serverCertificateUntrusted, "is not one for \(host)")
            case errSecNotTrusted, errSecCreateChainFailed:
                (.serverCertificateHasUnknownRoot, "has an issuer that is not trusted")
            default: (.serverCertificateUntrusted, "is not trusted")
            }
        return URLError(code, saying: "The certificate of \(host) \(reason).")
    }
}
#endif
