// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct CertificateBytesInternalTests {
    /// A certificate and its public key, as `openssl x509 -pubkey` and `openssl pkey -pubin -outform der`
    /// gave them.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pem: String
        let keyInfo: String

        var der: Data {
            get throws {
                try #require(CertificateBytes.der(inPEM: Data(pem.utf8)).first)
            }
        }
    }

    @Test(arguments: [p256, rsa, ed25519, version1])
    func theKeyInfoIsWhatOpenSSLSaysForEachKindOfKey(_ sample: Sample) throws {
        let keyInfo = CertificateBytes.publicKeyInfo(ofDER: try sample.der)
        #expect(keyInfo?.base64EncodedString() == sample.keyInfo)
    }

    @Test func aCertificateThatIsCutAnywhereHasNoKeyInfo() throws {
        let der = try Self.p256.der
        for length in 0..<der.count {
            #expect(CertificateBytes.publicKeyInfo(ofDER: der.prefix(length)) == nil)
        }
        #expect(CertificateBytes.publicKeyInfo(ofDER: der.dropFirst(1)) == nil)
    }

    /// Every byte in turn becomes what it must not be: an answer or none, but never a trap.
    @Test func noBytesTrap() throws {
        let der = try Self.rsa.der
        for index in 0..<min(der.count, 300) {
            for byte: UInt8 in [0x00, 0x30, 0x7F, 0x80, 0x84, 0xFF] {
                var changed = der
                changed[index] = byte
                _ = CertificateBytes.publicKeyInfo(ofDER: changed)
            }
        }
        let longest = Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x30])
        #expect(CertificateBytes.publicKeyInfo(ofDER: longest) == nil)
    }

    @Test func severalCertificatesComeInTheirOrderWithoutWhatIsBetweenThem() throws {
        let pem =
            "# mine\r\nsubject=CN = ec\r\n" + Self.p256.pem.replacing("\n", with: "\r\n")
            + "\n# and another\n" + Self.rsa.pem
        #expect(
            CertificateBytes.der(inPEM: Data(pem.utf8)) == [try Self.p256.der, try Self.rsa.der])
    }

    @Test(
        arguments: [
            "", "junk", "-----BEGIN CERTIFICATE-----MII", "BEGIN CERTIFICATE",
            "-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----\n",
        ])
    func whereNoCertificateIsThereIsNone(_ pem: String) {
        let found = CertificateBytes.der(inPEM: Data(pem.utf8))
        #expect(found.filter { !$0.isEmpty } == [])
    }

    /// So that its reader sees it, instead of trusting the others alone.
    @Test func aBrokenCertificateIsEmptyAndKeepsItsPlace() throws {
        let broken = "-----BEGIN CERTIFICATE-----\nM\n-----END CERTIFICATE-----\n"
        let pem = Self.p256.pem + "\n" + broken + Self.rsa.pem
        #expect(
            CertificateBytes.der(inPEM: Data(pem.utf8))
                == [try Self.p256.der, Data(), try Self.rsa.der])
    }

    static let p256 = Sample(
        testDescription: "p256",
        pem: """
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
            """,
        keyInfo:
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExFgoJ5DZpWBHuK/eXoG/7p0CTKBC3bMoz6AmaCpuwdklYM5B"
            + "+UN6zdUrx3G91oStKCfOInal0GqEJ6yw8F3ZgQ==")

    static let rsa = Sample(
        testDescription: "rsa",
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIB+jCCAWOgAwIBAgIUSjiVck1GrJ/PDg8GYDtOm8LCeVYwDQYJKoZIhvcNAQEL
            BQAwDjEMMAoGA1UEAwwDcnNhMCAXDTI2MTEzMDA3MjA0M1oYDzIxMjYxMTA2MDcy
            MDQzWjAOMQwwCgYDVQQDDANyc2EwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGB
            ANYAnpvk4qSt/MMwsj7LhWyDxmoYdZETCILju2FqYMIcAA4DywUCB0LgLrs2nTt7
            8mbfWilpWjwQLpejlWrNO4N6u9PcUGcKf5Xjd1MjWE5kkN+QLbD2LOE4e0GR0YHH
            DLYhiLEK0P6rYc7A3cosLoppk7Cp1F2XgKe91VdY8ZDFAgMBAAGjUzBRMB0GA1Ud
            DgQWBBRbMPZa2+wGRQiF+in2xX/iTM+hzzAfBgNVHSMEGDAWgBRbMPZa2+wGRQiF
            +in2xX/iTM+hzzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GBAJG0
            nJooDaRE4rG9H2PGhAmmQJaFatNJPeSeB+ALYurSf+02McmzJ1w4XjRl0+VMyl9s
            TCy4RrnkRmftPkp0qNcWgLC1IxbjuBNV5qjpHVTJiKO5xTu1i2gyU+k+EjDC+M06
            ujTewq8FnYNZLOwMBEzIp03vHycCFZnIgYEYeWZu
            -----END CERTIFICATE-----
            """,
        keyInfo:
            "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDWAJ6b5OKkrfzDMLI+y4Vsg8ZqGHWREwiC47thamDCHAAO"
            + "A8sFAgdC4C67Np07e/Jm31opaVo8EC6Xo5VqzTuDervT3FBnCn+V43dTI1hOZJDfkC2w9izhOHtBkdGBxwy2"
            + "IYixCtD+q2HOwN3KLC6KaZOwqdRdl4CnvdVXWPGQxQIDAQAB")

    static let ed25519 = Sample(
        testDescription: "ed25519",
        pem: """
            -----BEGIN CERTIFICATE-----
            MIIBMDCB46ADAgECAhRRr9RmozQaZfK5CZkXkgsTVr7EFjAFBgMrZXAwDTELMAkG
            A1UEAwwCZWQwIBcNMjYxMTMwMDcyMDQzWhgPMjEyNjExMDYwNzIwNDNaMA0xCzAJ
            BgNVBAMMAmVkMCowBQYDK2VwAyEAou/fl8zwZLMchrUo7h9TqJmJbVaAqmcLiCK2
            f7ZvIVmjUzBRMB0GA1UdDgQWBBRWtCtDNB8kLsr+oTY8nlDd5DpIXjAfBgNVHSME
            GDAWgBRWtCtDNB8kLsr+oTY8nlDd5DpIXjAPBgNVHRMBAf8EBTADAQH/MAUGAytl
            cANBACXXClzCoUaat5YajzoQR55rKJ705VGBMTMUIE1jBs6NM88kiMrCzqH2Si3y
            tBdmjIRlUOmm1gSWoTDcAtnfYw4=
            -----END CERTIFICATE-----
            """,
        keyInfo: "MCowBQYDK2VwAyEAou/fl8zwZLMchrUo7h9TqJmJbVaAqmcLiCK2f7ZvIVk=")

    static let version1 = Sample(
        testDescription: "version1",
        pem: """
            -----BEGIN CERTIFICATE-----
            MIHWMIGJAhQMtX9YfWpqHLO2ujLeyfQh6wAVWDAFBgMrZXAwDTELMAkGA1UEAwwC
            djEwIBcNMjYxMTMwMDcyMDQ0WhgPMjEyNjExMDYwNzIwNDRaMA0xCzAJBgNVBAMM
            AnYxMCowBQYDK2VwAyEAk8v4JPYqZuDCazY9qfjT36WPOUClo+Ttsj/i4kQN17gw
            BQYDK2VwA0EAxWiUSBc5jSQORkxg+6f/0y6BARUJuBNYW1LtV24oqKwiJPgEdNni
            ZWGITfCjbhNbFJuW2bLgBmFVtQMTsh+fDA==
            -----END CERTIFICATE-----
            """,
        keyInfo: "MCowBQYDK2VwAyEAk8v4JPYqZuDCazY9qfjT36WPOUClo+Ttsj/i4kQN17g=")
}
