// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The sockets that libcurl has open, to look at one before a request goes over it.
///
/// What a server sends while no request is open is no answer: libcurl would take it for the next one's.
/// Belongs to the loop's thread.
struct OpenSockets {
    /// Not asked for yet, so that their port is not known, and nothing has gone over them.
    private var new: [Int32] = []
    /// By local port, the one thing that libcurl says about a connection it is about to use.
    ///
    /// Two sockets have the same when they go to different addresses.
    private var byPort: [Int32: [Int32]] = [:]
    /// Ports of TLS connections over which an answer in HTTP/1 has come.
    private var secure1: Set<Int32> = []

    /// Opens a socket for libcurl.
    mutating func open(_ address: UnsafePointer<curl_sockaddr>?) -> Int32 {
        let socket = duet_open_socket(address)
        if socket >= 0 { new.append(socket) }
        return socket
    }

    /// Closes a socket of libcurl's.
    mutating func close(_ socket: Int32) -> Int32 {
        new.removeAll { $0 == socket }
        if let (port, sockets) = byPort.first(where: { $0.value.contains(socket) }) {
            byPort[port] = sockets.count == 1 ? nil : sockets.filter { $0 != socket }
            secure1.remove(port)
        }
        return Foundation.close(socket)
    }

    /// Notes that a TLS connection carries one answer at a time, with nothing between them.
    mutating func carriesHTTP1(_ localPort: Int32) { secure1.insert(localPort) }

    /// Whether nothing has come over a connection since its last answer, and it is open.
    ///
    /// On a new connection what comes is early at most; over TLS, before an answer in HTTP/1, it may be
    /// the protocol's own.
    mutating func mayBeUsed(_ localPort: Int32, by handle: CurlHandle?, isSecure: Bool) -> Bool {
        let used = byPort[localPort, default: []]
        for socket in exchange(&new, []) {
            byPort[duet_local_port(socket), default: []].append(socket)
        }
        guard !isSecure || secure1.contains(localPort) else { return true }
        // What came in a record with the answer's end has left the socket.
        if isSecure, let handle, duet_tls_pending(handle.easy) > 0 { return false }
        return used.allSatisfy { socket in
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            return count < 0 && errno == EAGAIN
        }
    }
}
#endif
