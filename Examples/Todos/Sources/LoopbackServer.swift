// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// A small HTTP/1.1 server on the loopback interface, for this example alone.
///
/// A thread waits for connections and gives each one a thread of its own. It runs until the process
/// ends. A body needs a `Content-Length`.
struct LoopbackServer {
    struct Request {
        let method: String
        let path: String
        let body: Data
    }

    struct Answer {
        let status: Int
        var json = Data()
        var contentType = "application/json"
    }

    let url: URL

    /// Starts a server on a free port.
    init(answer: @escaping @Sendable (Request) -> Answer) throws {
        // A client that has gone is an error of `send`, not the end of the process.
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
                Thread.detachNewThread {
                    var connection = Connection(descriptor: descriptor)
                    while let request = connection.nextRequest() {
                        guard connection.send(answer(request)) else { break }
                    }
                    close(descriptor)
                }
            }
        }
    }
}

/// One connection, on which requests come one after another.
private struct Connection {
    let descriptor: Int32
    private var buffer = Data()

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Waits for a whole request; nil when the client has gone or sent something else.
    mutating func nextRequest() -> LoopbackServer.Request? {
        let blankLine = Data("\r\n\r\n".utf8)
        while buffer.range(of: blankLine) == nil {
            guard receive() else { return nil }
        }
        guard let end = buffer.range(of: blankLine) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }

        var length = 0
        for line in lines.dropFirst() where line.lowercased().hasPrefix("content-length:") {
            let value = line.dropFirst(15).trimmingCharacters(in: .whitespaces)
            guard let count = Int(value), count >= 0 else { return nil }
            length = count
        }
        buffer = Data(buffer[end.upperBound...])
        while buffer.count < length {
            guard receive() else { return nil }
        }
        let body = Data(buffer.prefix(length))
        buffer = Data(buffer.dropFirst(length))
        return LoopbackServer.Request(
            method: String(words[0]),
            path: String(words[1]),
            body: body
        )
    }

    /// Sends an answer, and says whether all of it could be sent.
    func send(_ answer: LoopbackServer.Answer) -> Bool {
        var head = "HTTP/1.1 \(answer.status) \r\n"
        if answer.status != 204 {
            head += "Content-Type: \(answer.contentType)\r\n"
            head += "Content-Length: \(answer.json.count)\r\n"
        }
        var rest = Data((head + "\r\n").utf8) + answer.json
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = Data(rest.dropFirst(count))
        }
        return true
    }

    private mutating func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return false }
        buffer.append(contentsOf: bytes[..<count])
        return true
    }
}
