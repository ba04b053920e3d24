// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// libcurl's easy handle and the buffer for its words on an error, used for one transfer after another.
///
/// Belongs to the loop's thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<CChar>
    private var fields: UnsafeMutablePointer<curl_slist>?

    init?() {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words[0] = 0
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        words.deallocate()
    }

    /// Forgets the last transfer. Connections and names stay known: they are the loop's.
    func reset() {
        curl_easy_reset(easy)
        curl_slist_free_all(fields)
        fields = nil
        words[0] = 0
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = duet_setopt_long(easy, option, value)
    }

    func set(_ option: CURLoption, offset value: Int64) {
        _ = duet_setopt_offset(easy, option, curl_off_t(value))
    }

    /// Sets a text; libcurl copies it. Nil sets the option back.
    func set(_ option: CURLoption, _ value: String?) {
        _ = duet_setopt_string(easy, option, value)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        _ = duet_setopt_pointer(easy, option, value)
    }

    func set(_ option: CURLoption, _ callback: @escaping duet_data_callback) {
        _ = duet_setopt_data_callback(easy, option, callback)
    }

    func collectWords() {
        set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(words))
    }

    func setFields(_ lines: [String]) {
        for line in lines {
            // Nil: no memory for the line. The list so far stays valid.
            fields = curl_slist_append(fields, line) ?? fields
        }
        set(CURLOPT_HTTPHEADER, pointer: UnsafeMutableRawPointer(fields))
    }

    var detail: String { String(cString: words) }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = duet_getinfo_long(easy, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = duet_getinfo_offset(easy, info, &value)
        return Int64(value)
    }

    /// Seconds from the start to a milestone, nil when it was not reached or took no time.
    func seconds(_ info: CURLINFO) -> TimeInterval? {
        let microseconds = offset(info)
        return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    /// The socket that the last transfer used and its local port, while the connection is open.
    var socket: (socket: Int32, localPort: Int)? {
        var socket: curl_socket_t = -1
        guard duet_getinfo_socket(easy, &socket) == CURLE_OK, socket >= 0 else { return nil }
        return (socket, number(CURLINFO_LOCAL_PORT))
    }

    /// Closes the connection if the server has sent more than its answer: libcurl would hand the rest to
    /// the next request as the start of its own answer.
    func closeIfBytesAreLeft() {
        var socket: curl_socket_t = -1
        guard duet_getinfo_socket(easy, &socket) == CURLE_OK, socket >= 0 else { return }
        var byte: UInt8 = 0
        if recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 {
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }
}
#endif
