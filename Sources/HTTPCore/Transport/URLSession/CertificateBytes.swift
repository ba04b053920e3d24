// SPDX-License-Identifier: MIT

internal import Foundation

/// Certificates as bytes: what of their forms, PEM and DER, has to be known here.
enum CertificateBytes {
    /// The certificates of a PEM text in DER, in their order; what stands between them is left out.
    ///
    /// Nil when there is none, or one is broken.
    static func der(inPEM pem: Data) -> [Data]? {
        let parts = String(decoding: pem, as: UTF8.self)
            .components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        let certificates = parts.compactMap { part -> Data? in
            let lines = part.components(separatedBy: "-----END CERTIFICATE-----")
            return lines.count < 2
                ? nil : Data(base64Encoded: lines[0], options: .ignoreUnknownCharacters)
        }
        return parts.isEmpty || certificates.count < parts.count ? nil : certificates
    }

    /// The SubjectPublicKeyInfo of a certificate in DER, whose hash is its pin (RFC 7469, section 2.4).
    ///
    /// Cut out of the certificate rather than put together from a key, so that it is right for every
    /// kind of key. Nil when this is no certificate.
    static func publicKeyInfo(ofDER der: Data) -> Data? {
        var file = Elements(rest: Array(der)[...])
        guard var certificate = file.next(tag: sequence).map({ Elements(rest: $0.content) }),
            var fields = certificate.next(tag: sequence).map({ Elements(rest: $0.content) })
        else { return nil }
        // Version, left out by the oldest ones.
        _ = fields.next(tag: 0xA0)
        // RFC 5280, section 4.1: serial number, signature, issuer, validity, subject.
        for tag in [0x02, sequence, sequence, sequence, sequence] where fields.next(tag: tag) == nil
        {
            return nil
        }
        return fields.next(tag: sequence).map { Data($0.all) }
    }

    private static let sequence: UInt8 = 0x30

    /// DER elements one after another.
    private struct Elements {
        var rest: ArraySlice<UInt8>

        /// Takes the next element, if it has that tag.
        mutating func next(tag: UInt8) -> (content: ArraySlice<UInt8>, all: ArraySlice<UInt8>)? {
            guard rest.first == tag, let first = rest.dropFirst().first else { return nil }
            var header = 2
            var length = Int(first)
            if first & 0x80 != 0 {
                let count = Int(first & 0x7F)
                let digits = rest.dropFirst(2).prefix(count)
                guard 1...4 ~= count, digits.count == count else { return nil }
                length = digits.reduce(0) { $0 << 8 | Int($1) }
                header += count
            }
            guard rest.count - header >= length else { return nil }
            let all = rest.prefix(header + length)
            rest = rest.dropFirst(all.count)
            return (all.dropFirst(header), all)
        }
    }
}
