// SPDX-License-Identifier: MIT

internal import Foundation

/// Certificates as bytes: what of their forms, PEM and DER, has to be known here.
enum CertificateBytes {
    /// The certificates of a PEM text in DER, in their order; empty for one that is broken.
    ///
    /// What stands between them is left out.
    static func der(inPEM pem: Data) -> [Data] {
        let parts = String(decoding: pem, as: UTF8.self).components(separatedBy: "-----")
        return zip(parts, parts.dropFirst()).filter { $0.0 == "BEGIN CERTIFICATE" }
            .map { Data(base64Encoded: $0.1, options: .ignoreUnknownCharacters) ?? Data() }
    }

    /// The SubjectPublicKeyInfo of a certificate in DER, whose hash is its pin (RFC 7469, section 2.4).
    ///
    /// Cut out of the certificate rather than put together from a key, so that it is right for every
    /// kind of key. Nil when this is no certificate.
    static func publicKeyInfo(ofDER der: Data) -> Data? {
        var rest = [UInt8](der)[...]
        // Into the certificate and into what is signed of it.
        for _ in 1...2 {
            guard let outer = element(sequence, at: rest) else { return nil }
            rest = rest.dropFirst(outer.header)
        }
        // RFC 5280, section 4.1: version, which the oldest leave out, then serial number, signature,
        // issuer, validity, subject.
        rest = rest.dropFirst(element(0xA0, at: rest)?.all ?? 0)
        for tag in [0x02, sequence, sequence, sequence, sequence] {
            guard let field = element(tag, at: rest) else { return nil }
            rest = rest.dropFirst(field.all)
        }
        return element(sequence, at: rest).map { Data(rest.prefix($0.all)) }
    }

    private static let sequence: UInt8 = 0x30

    /// How long the element at the start is, its header alone and all of it; nil: there is no such one.
    private static func element(
        _ tag: UInt8, at bytes: ArraySlice<UInt8>
    ) -> (header: Int, all: Int)? {
        guard bytes.first == tag, let first = bytes.dropFirst().first else { return nil }
        let digits = bytes.dropFirst(2).prefix(first < 0x80 ? 0 : Int(first & 0x7F))
        // More than four digits are more than there can be; cut off ones fail below.
        guard digits.count <= 4 else { return nil }
        let length = first < 0x80 ? Int(first) : digits.reduce(0) { $0 << 8 | Int($1) }
        let header = 2 + digits.count
        return header + length <= bytes.count ? (header, header + length) : nil
    }
}
