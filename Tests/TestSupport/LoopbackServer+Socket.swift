// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

#if canImport(Darwin)
private let streamType = SOCK_STREAM
private let sendFlags: Int32 = 0
/// Asks `poll` to report that the peer closed, without reporting data.
private let closedMask = Int16(POLLHUP)
#else
private let streamType = Int32(SOCK_STREAM.rawValue)
private let sendFlags = Int32(MSG_NOSIGNAL)
/// Asks `poll` to report that the peer closed, without reporting data (`POLLRDHUP`).
private let closedMask: Int16 = 0x2000
#endif

extension LoopbackServer {
    /// The few socket calls the server makes; every socket is non-blocking.
    ///
    /// The thread that owns a socket is the only one that closes it, so that a number can never
    /// be used after it was given to another socket.
    struct Socket: Sendable {
        enum Event: Sendable {
            case readable, writable, peerClosed

            fileprivate var mask: Int16 {
                switch self {
                case .readable: Int16(POLLIN)
                case .writable: Int16(POLLOUT)
                case .peerClosed: closedMask
                }
            }
        }

        enum Arrival {
            case bytes([UInt8])
            case nothingYet
            case end
        }

        let descriptor: Int32

        /// A port of the loopback interface that is free at this moment, for a program that binds it itself.
        static func freePort() throws -> Int {
            let socket = try bound(ipv6: false)
            defer { socket.abandon() }
            return try socket.port()
        }

        /// Makes a socket that is bound to a free port of the loopback interface.
        static func bound(ipv6: Bool) throws -> Socket {
            let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, streamType, 0)
            guard descriptor >= 0 else { throw lastError() }
            let made = Socket(descriptor: descriptor)
            made.configure()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var address6 = sockaddr_in6()
            address6.sin6_family = sa_family_t(AF_INET6)
            address6.sin6_addr = in6addr_loopback
            let result =
                ipv6
                ? withSockaddr(&address6) { bind(descriptor, $0, $1) }
                : withSockaddr(&address) { bind(descriptor, $0, $1) }
            guard result == 0 else {
                let error = lastError()
                made.abandon()
                throw error
            }
            return made
        }

        /// Makes a socket that accepts connections.
        static func listening(ipv6: Bool) throws -> Socket {
            let made = try bound(ipv6: ipv6)
            guard listen(made.descriptor, 128) == 0 else {
                let error = lastError()
                made.abandon()
                throw error
            }
            return made
        }

        func port() throws -> Int {
            // The port is at the same place in both families; the larger one has room for both.
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let result = Self.withSockaddr(&address) { pointer, _ in
                getsockname(descriptor, pointer, &length)
            }
            guard result == 0 else { throw Self.lastError() }
            return Int(UInt16(bigEndian: address.sin6_port))
        }

        /// The next waiting connection, if there is one.
        func accepted() -> Socket? {
            let peer = accept(descriptor, nil, nil)
            guard peer >= 0 else { return nil }
            let made = Socket(descriptor: peer)
            made.configure()
            return made
        }

        func received() -> Arrival {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { return .bytes(Array(bytes.prefix(count))) }
            if count < 0, [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) { return .nothingYet }
            return .end
        }

        /// Sends what fits; zero if nothing does now, nil if the connection is gone.
        func sent(_ bytes: ArraySlice<UInt8>) -> Int? {
            let count = bytes.withUnsafeBytes { raw in
                send(descriptor, raw.baseAddress, raw.count, sendFlags)
            }
            if count >= 0 { return count }
            return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? 0 : nil
        }

        func endSending() {
            _ = shutdown(descriptor, Int32(SHUT_WR))
        }

        /// Closes, so that the kernel sends FIN if everything received was read.
        func abandon() {
            _ = close(descriptor)
        }

        /// Closes with RST.
        func abort() {
            set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
            abandon()
        }

        /// Waits for one of the events and returns the index of the first that came, nil if none.
        static func wait(
            for events: [(descriptor: Int32, event: Event)],
            timeout: TimeInterval
        ) -> Int? {
            var entries = events.map { event in
                pollfd(fd: event.descriptor, events: event.event.mask, revents: 0)
            }
            let deadline = ProcessInfo.processInfo.systemUptime + timeout
            while true {
                let left = deadline - ProcessInfo.processInfo.systemUptime
                // Rounded up: rounding down would turn the last millisecond into a busy loop.
                let milliseconds = Int32(min(max(left * 1000, 0), 60_000).rounded(.up))
                let count = poll(&entries, nfds_t(entries.count), milliseconds)
                if count > 0, let first = entries.firstIndex(where: { $0.revents != 0 }) {
                    return first
                }
                if left <= 0 { return nil }
            }
        }

        /// Makes a descriptor non-blocking and keeps it out of child processes.
        static func prepare(_ descriptor: Int32) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }

        static func lastError() -> POSIXError {
            POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }

        private func configure() {
            Self.prepare(descriptor)
            set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
            #endif
        }

        private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
            withUnsafeBytes(of: value) { raw in
                let length = socklen_t(raw.count)
                _ = setsockopt(descriptor, level, option, raw.baseAddress, length)
            }
        }

        private static func withSockaddr<Address>(
            _ address: inout Address,
            _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
    }

    /// A pipe that makes `poll` return: readable for good once it was woken.
    final class Wakeup: Sendable {
        let readEnd: Int32
        private let writeEnd: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Socket.lastError() }
            (readEnd, writeEnd) = (ends[0], ends[1])
            ends.forEach(Socket.prepare)
        }

        deinit {
            _ = close(readEnd)
            _ = close(writeEnd)
        }

        func wake() {
            _ = write(writeEnd, [UInt8(1)], 1)
        }
    }
}
