// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// Waits for connections on a free port of the loopback interface, until the process ends.
public struct LoopbackListener {
    /// The address that it listens on, such as `http://127.0.0.1:49152`.
    public let url: URL

    /// Starts it.
    ///
    /// - Parameter serve: Called with the descriptor of each connection, on a thread of its own, and closes
    ///   it.
    /// - Throws: `POSIXError` when no socket is to be had.
    public init(serve: @escaping @Sendable (Int32) -> Void) throws {
        // A client that has gone is an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, listens else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!

        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread { serve(descriptor) }
            }
        }
    }
}
