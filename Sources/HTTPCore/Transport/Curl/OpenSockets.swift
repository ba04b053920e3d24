// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// The sockets that libcurl has open, to look at one before a request goes over it.
///
/// What a server sends while no request is open is no answer: libcurl would take it for the next one's.
/// Belongs to the loop's thread.
struct OpenSockets {
    /// Not asked for yet, so that their port is not known.
    private var new: [Int32] = []
    /// By local port, the one thing that libcurl says about a connection it is about to use.
    ///
    /// Two sockets have the same when they go to different addresses.
    private var byPort: [Int32: [Int32]] = [:]

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
        }
        return Foundation.close(socket)
    }

    /// Whether nothing has come over a connection, and it is open.
    mutating func mayBeUsed(_ localPort: Int32) -> Bool {
        for socket in exchange(&new, []) {
            byPort[duet_local_port(socket), default: []].append(socket)
        }
        return byPort[localPort, default: []].allSatisfy { socket in
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            return count < 0 && errno == EAGAIN
        }
    }
}
#endif
