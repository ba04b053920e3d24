// SPDX-License-Identifier: MIT

internal import Foundation

/// What is wrong with a certificate, in the codes and words that `CurlTransport` has for it.
enum TLSFault: CaseIterable {
    case identityIsEmpty
    case identityHasAnotherPassword
    case identityHasNoPassword
    case identityIsNoPKCS12
    case identityHasNoKey
    case identityHasNoPlace
    case rootsAreNoPEM
    case serverIsExpired
    case serverIsNotYetValid
    case serverHasUnknownIssuer
    case serverIsAnother
    case serverHasAnotherKey
    case serverIsNotTrusted

    func urlError(_ host: String = "") -> URLError {
        let (code, sentence) = entry(host)
        return URLError(code, saying: sentence)
    }

    private func entry(_ host: String) -> (URLError.Code, String) {
        switch self {
        case .identityIsEmpty:
            (.clientCertificateRequired, "The client certificate is empty.")
        case .identityHasAnotherPassword:
            (.clientCertificateRejected, "The password of the client certificate is wrong.")
        case .identityHasNoPassword:
            (
                .clientCertificateRejected,
                "The client certificate has no password, or another than none: this system reads "
                    + "none without, so export it again, with one."
            )
        case .identityIsNoPKCS12:
            (.clientCertificateRejected, "The client certificate is no PKCS#12 file.")
        case .identityHasNoKey:
            (.clientCertificateRejected, "The client certificate comes without its private key.")
        case .identityHasNoPlace:
            (.clientCertificateRejected, "The client certificate could not be unpacked.")
        case .rootsAreNoPEM:
            (.secureConnectionFailed, "The certificates to trust could not be read.")
        case .serverIsExpired:
            (.serverCertificateHasBadDate, "The certificate of \(host) has expired.")
        case .serverIsNotYetValid:
            (.serverCertificateNotYetValid, "The certificate of \(host) is not valid yet.")
        case .serverHasUnknownIssuer:
            (
                .serverCertificateHasUnknownRoot,
                "The certificate of \(host) has an issuer that is not trusted."
            )
        case .serverIsAnother:
            (
                .serverCertificateUntrusted,
                "The certificate of \(host) is not one for \(host)."
            )
        case .serverHasAnotherKey:
            (.serverCertificateUntrusted, "\(host) has another key than it was pinned to.")
        case .serverIsNotTrusted:
            (.serverCertificateUntrusted, "The certificate of \(host) is not trusted.")
        }
    }
}
