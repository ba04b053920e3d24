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

    init?(_ tls: TLSSettings) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words[0] = 0
        set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(words))
        // No signals, no other protocol, and no waiting for a name when a transfer is dropped.
        set(CURLOPT_NOSIGNAL, 1)
        _ = duet_setopt_http_only(easy)
        _ = duet_setopt_quick_exit(easy)
        // The URL goes out as given, and what a proxy says is no part of the answer.
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // We undo content codings: libcurl takes a cut one for a whole one.
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        // Sent unless the request has a field of that name.
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        set(CURLOPT_USERAGENT, "Duet")
        set(CURLOPT_MAXAGE_CONN, CurlLoop.idleSeconds)
        set(tls)
        CurlTransfer.setCallbacks(of: self)
    }

    deinit {
        curl_easy_cleanup(easy)
        words.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = duet_setopt_long(easy, option, value)
    }

    func set(_ option: CURLoption, offset value: Int64) {
        _ = duet_setopt_offset(easy, option, curl_off_t(value))
    }

    /// Sets a text; libcurl copies it.
    ///
    /// Nil sets the option back.
    func set(_ option: CURLoption, _ value: String?) {
        _ = duet_setopt_string(easy, option, value)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        _ = duet_setopt_pointer(easy, option, value)
    }

    func set(_ option: CURLoption, _ callback: @escaping duet_data_callback) {
        _ = duet_setopt_data_callback(easy, option, callback)
    }

    /// Sets bytes; libcurl copies them.
    func set(_ option: CURLoption, blob data: Data) -> CURLcode {
        data.withUnsafeBytes { duet_setopt_blob(easy, option, $0.baseAddress, $0.count) }
    }

    /// libcurl's and OpenSSL's words on what went wrong.
    var detail: String { String(cString: words) }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = duet_getinfo_long(easy, info, &value)
        return value
    }

    /// Seconds from the start to a milestone, nil when it was not reached or took no time.
    func seconds(_ info: CURLINFO) -> TimeInterval? {
        var microseconds: curl_off_t = 0
        _ = duet_getinfo_offset(easy, info, &microseconds)
        return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    /// The socket that the last transfer used and its local port, while the connection is open.
    var socket: (socket: Int32, localPort: Int)? {
        var socket: curl_socket_t = -1
        guard duet_getinfo_socket(easy, &socket) == CURLE_OK, socket >= 0 else { return nil }
        return (socket, number(CURLINFO_LOCAL_PORT))
    }
}
#endif
