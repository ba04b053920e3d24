// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The sockets of plain connections that have served a request, to look at before the next one.
///
/// What a server sends while no request is open is no answer: libcurl would take it for the next one's.
/// Belongs to the loop's thread.
final class IdleSockets {
    /// By local port, the one thing that libcurl says about a connection it is about to use.
    private var sockets: [Int: Int32] = [:]

    func add(_ socket: Int32, localPort: Int) {
        sockets[localPort] = socket
    }

    /// Whether nothing has come over a connection, and it is open, as far as is known.
    func mayBeUsed(_ localPort: Int) -> Bool {
        // libcurl may have closed the socket, and its number may be another one's now.
        guard let socket = sockets.removeValue(forKey: localPort), port(of: socket) == localPort
        else {
            return true
        }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    private func port(of socket: Int32) -> Int? {
        // The port is at the same place in both families; the larger one has room for both.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : nil
    }
}
#endif
