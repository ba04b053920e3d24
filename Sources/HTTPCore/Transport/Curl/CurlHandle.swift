// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// libcurl's easy handle and what is set on it for good, used for one transfer after another.
///
/// Belongs to the loop's thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// The transfer that has the handle, which the loop keeps as long.
    unowned(unsafe) var transfer: CurlTransfer?
    private let words: UnsafeMutablePointer<CChar>
    private var fields: UnsafeMutablePointer<curl_slist>?

    init?(of loop: CurlLoop) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        duet_setopt_defaults(easy)
        duet_setopt_callbacks(
            easy, CurlTransfer.callbacks, Unmanaged.passUnretained(self).toOpaque())
        // The loop outlives its connections: its thread closes them before it ends.
        duet_setopt_sockets(
            easy, { loop, _, address in CurlLoop.from(loop).sockets.open(address) },
            { loop, socket in CurlLoop.from(loop).sockets.close(socket) },
            Unmanaged.passUnretained(loop).toOpaque())
        set(CURLOPT_MAXAGE_CONN, loop.idleSeconds)
        setTrust(loop.tls.trust, loop.rootsFile)
        setIdentity(loop.tls.identity)
    }

    /// Who has the handle that libcurl names by its context.
    static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        // The pointer is the one that `init` set, and libcurl knows it as long as the handle is there.
        unsafeBitCast(context, to: CurlHandle.self).transfer
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        words.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = duet_setopt_long(easy, option, value)
    }

    /// Sets a text, which libcurl copies, or none.
    func set(_ option: CURLoption, _ value: String?) {
        _ = duet_setopt_string(easy, option, value)
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
        set(CURLOPT_KEYPASSWD, identity.password)
        let result = identity.pkcs12.withUnsafeBytes {
            duet_setopt_blob(easy, CURLOPT_SSLCERT_BLOB, $0.baseAddress, $0.count)
        }
        // Better no connection than one without the identity, where libcurl knows files alone.
        if result != CURLE_OK { set(CURLOPT_CAINFO, "/nonexistent") }
    }

    /// A file that is in memory alone, of the trust's own roots and the system's where it has both.
    ///
    /// libcurl keeps what it has parsed of a file, of bytes never: 20 ms of CPU for each connection.
    static func rootsFile(of trust: ServerTrust) -> Int32 {
        let others = trust.includesSystem ? duet_default_ca_file() : nil
        // Beside the system's, libcurl would take no roots at all for roots.
        guard let roots = trust.roots, roots.range(of: Data("-----BEGIN ".utf8)) != nil else {
            return -1
        }
        return roots.withUnsafeBytes { duet_memory_file(others, $0.baseAddress, $0.count) }
    }

    private func setTrust(_ trust: ServerTrust, _ rootsFile: Int32) {
        // With a CA folder, libcurl reads all CAs again for each connection: 18 ms of CPU, not 1. And it
        // would trust those in the folder beside the roots.
        if duet_default_ca_file() != nil || !trust.includesSystem { set(CURLOPT_CAPATH, nil) }
        if trust.roots != nil { set(CURLOPT_CAINFO, "/proc/self/fd/\(rootsFile)") }
        if trust.acceptsAnybody {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let pins = trust.pins {
            let hashes = pins.map { $0.base64EncodedString() }
            set(CURLOPT_PINNEDPUBLICKEY, "sha256//" + hashes.joined(separator: ";sha256//"))
        }
    }

    /// libcurl's and OpenSSL's words on what went wrong.
    var detail: String { String(cString: words) }
}
#endif
