// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The sockets of plain connections that have served a request, to look at before the next one.
///
/// What a server sends while no request is open is no answer: libcurl would take it for the next one's.
/// Belongs to the loop's thread.
struct IdleSockets {
    /// By local port, the one thing that libcurl says about a connection it is about to use.
    private var sockets: [Int32: Int32] = [:]

    mutating func add(_ info: duet_info) {
        if info.socket >= 0 { sockets[Int32(info.local_port)] = info.socket }
    }

    /// Whether nothing has come over a connection, and it is open, as far as is known.
    mutating func mayBeUsed(_ localPort: Int32) -> Bool {
        // libcurl may have closed the socket, and its number may be another one's now.
        guard let socket = sockets.removeValue(forKey: localPort),
            duet_local_port(socket) == localPort
        else { return true }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }
}
#endif
