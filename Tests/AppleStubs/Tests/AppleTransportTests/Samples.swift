// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security

@testable import HTTPCore

/// Certificates whose bytes say no more than a name: Security's stub looks no further.
extension SecCertificate {
    static func named(_ name: String) -> SecCertificate {
        SecCertificate(der: Data([0x30, UInt8(name.utf8.count)]) + Data(name.utf8))
    }
}

/// A file that the stub can unpack, with bytes of its own, so that tests can run side by side.
func makeIdentity(
    password: String = "secret", chain: [SecCertificate] = [.named("leaf")], hasKey: Bool = true
) -> ClientIdentity {
    let identity = ClientIdentity(pkcs12: Data(UUID().uuidString.utf8), password: password)
    StubSecurity.add(
        PKCS12File(password: password, chain: chain, hasKey: hasKey), as: identity.pkcs12)
    return identity
}

/// A P-256 certificate, and the SHA-256 of its key as
/// `openssl pkey -pubin -outform der | sha256sum` has it.
enum Server {
    static let pem = Data(
        """
        -----BEGIN CERTIFICATE-----
        MIIBcDCCARegAwIBAgIUN5JadZXNS4cnxAnA0/2+AL52qDQwCgYIKoZIzj0EAwIw
        DTELMAkGA1UEAwwCZWMwIBcNMjYxMTMwMDcyMDQzWhgPMjEyNjExMDYwNzIwNDNa
        MA0xCzAJBgNVBAMMAmVjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExFgoJ5DZ
        pWBHuK/eXoG/7p0CTKBC3bMoz6AmaCpuwdklYM5B+UN6zdUrx3G91oStKCfOInal
        0GqEJ6yw8F3ZgaNTMFEwHQYDVR0OBBYEFO9TZPWvCw3X59JAU3LwBCYgrIH6MB8G
        A1UdIwQYMBaAFO9TZPWvCw3X59JAU3LwBCYgrIH6MA8GA1UdEwEB/wQFMAMBAf8w
        CgYIKoZIzj0EAwIDRwAwRAIgeXz2XpGl0tULSK8j4TwA7FlRU49LZ5koDE+OAHtB
        l98CIFUYSUOa6Zw56gi8FcGx4EeGV7pADHqF0RevQ+Hdv5Uh
        -----END CERTIFICATE-----
        """.utf8)
    static let pin = Data([
        0x18, 0x29, 0xa4, 0x8a, 0xb4, 0x62, 0xb1, 0x3f, 0xe6, 0xf0, 0x6c, 0x4c, 0xf9, 0xb5, 0xeb,
        0xe5, 0x9b, 0x67, 0xe4, 0xc5, 0x78, 0x78, 0xb7, 0x98, 0xe6, 0x7c, 0x04, 0x4a, 0x6a, 0xc2,
        0x9b, 0x33,
    ])

    static var certificate: SecCertificate {
        SecCertificate(der: CertificateBytes.der(inPEM: pem)[0])
    }

    /// A server that the system has this to say of; nil: it is trusted.
    static func trust(
        systemSays verdict: OSStatus?,
        withAnchors: @escaping ([SecCertificate], Bool) -> OSStatus? = { _, _ in nil }
    ) -> SecTrust {
        SecTrust(chain: [certificate, .named("issuer")]) { anchors, only in
            anchors.map { withAnchors($0, only) } ?? verdict
        }
    }
}
