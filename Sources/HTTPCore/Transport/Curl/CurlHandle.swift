// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// libcurl's easy handle and what is set on it for good, used for one transfer after another.
///
/// Belongs to the loop's thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<CChar>
    private var fields: UnsafeMutablePointer<curl_slist>?

    init?(_ tls: TLSSettings, of loop: CurlLoop) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        duet_setopt_defaults(easy)
        // The loop outlives its connections: its thread closes them before it ends.
        duet_setopt_sockets(
            easy, { loop, _, address in CurlLoop.from(loop).sockets.open(address) },
            { loop, socket in CurlLoop.from(loop).sockets.close(socket) },
            Unmanaged.passUnretained(loop).toOpaque())
        set(CURLOPT_MAXAGE_CONN, CurlLoop.idleSeconds)
        setIdentity(tls.identity)
        setTrust(tls.trust)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        words.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = duet_setopt_long(easy, option, value)
    }

    /// Sets a text; libcurl copies it.
    func set(_ option: CURLoption, _ value: String) {
        _ = duet_setopt_string(easy, option, value)
    }

    /// Sets an option back to no text.
    func clear(_ option: CURLoption) {
        _ = duet_setopt_string(easy, option, nil)
    }

    func setFields(_ lines: [String]) {
        curl_slist_free_all(fields)
        // Nil: no memory for the line. The list so far stays valid.
        fields = lines.reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
        // libcurl only writes here when something fails.
        words[0] = 0
        duet_setopt_texts(easy, words, fields)
    }

    private func setIdentity(_ identity: ClientIdentity?) {
        guard let identity else { return }
        set(CURLOPT_SSLCERTTYPE, "P12")
        set(CURLOPT_SSLCERT_BLOB, bytes: identity.pkcs12)
        set(CURLOPT_KEYPASSWD, identity.password)
    }

    private func setTrust(_ trust: ServerTrust) {
        let system = trust.includesSystem ? duet_default_ca_file() : nil
        // With a CA folder, libcurl reads all CAs again for each connection: 18 ms of CPU, not 1.5. And
        // it would trust those in the folder beside the roots.
        if system != nil || !trust.includesSystem { clear(CURLOPT_CAPATH) }
        if let roots = trust.roots {
            let others = system.flatMap {
                FileManager.default.contents(atPath: String(cString: $0))
            }
            set(duet_cainfo_blob(), bytes: (others ?? Data()) + Data("\n".utf8) + roots)
        }
        if trust.acceptsAnybody {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let pins = trust.pins {
            let hashes = pins.map { $0.base64EncodedString() }
            set(CURLOPT_PINNEDPUBLICKEY, "sha256//" + hashes.joined(separator: ";sha256//"))
        }
    }

    /// Sets bytes, which libcurl copies.
    ///
    /// Where its version or its TLS library can't, no connection is
    /// possible: better none than one without what was asked for.
    private func set(_ option: CURLoption, bytes: Data) {
        let result = bytes.withUnsafeBytes {
            duet_setopt_blob(easy, option, $0.baseAddress, $0.count)
        }
        if result != CURLE_OK { set(CURLOPT_CAINFO, "/nonexistent") }
    }

    /// libcurl's and OpenSSL's words on what went wrong.
    var detail: String { String(cString: words) }
}
#endif
