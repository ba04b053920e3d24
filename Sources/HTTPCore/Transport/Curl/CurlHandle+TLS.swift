// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

extension CurlHandle {
    /// Sets what connections are made with.
    ///
    /// libcurl without OpenSSL knows no certificates in memory: the transfer then fails, and never goes out without what was asked for.
    func set(_ tls: TLSSettings) {
        if let identity = tls.identity {
            set(CURLOPT_SSLCERTTYPE, "P12")
            refuse(unless: set(CURLOPT_SSLCERT_BLOB, blob: identity.pkcs12))
            set(CURLOPT_KEYPASSWD, identity.password)
        }
        // With a CA folder, libcurl reads all CAs again for each connection: 18 ms of CPU, not 1.5.
        if let file = duet_default_ca_file() {
            set(CURLOPT_CAINFO, String(cString: file))
            set(CURLOPT_CAPATH, nil)
        }
        switch tls.trust.roots {
        case .system: break
        case .only(let pem):
            set(CURLOPT_CAINFO, nil)
            refuse(unless: set(duet_cainfo_blob(), blob: pem))
        case .systemAnd(let pem):
            let file = duet_default_ca_file().map { String(cString: $0) } ?? ""
            let system = FileManager.default.contents(atPath: file) ?? Data()
            refuse(unless: set(duet_cainfo_blob(), blob: system + Data("\n".utf8) + pem))
        case .anybody:
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if !tls.trust.pins.isEmpty {
            let pins = tls.trust.pins.map { "sha256//" + $0.base64EncodedString() }
            set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))
        }
    }

    /// Makes every connection impossible when an option could not be set: a CA file that does not exist.
    private func refuse(unless result: CURLcode) {
        if result != CURLE_OK { set(CURLOPT_CAINFO, "/nonexistent") }
    }
}
#endif
