// SPDX-License-Identifier: MIT

import Foundation
import Loopback

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A small HTTP/1.1 server on the loopback interface, for this example alone.
///
/// It runs until the process ends. A body needs a `Content-Length`.
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
        url = try LoopbackListener { descriptor in
            var connection = Connection(descriptor: descriptor)
            while let request = connection.nextRequest() {
                guard connection.send(answer(request)) else { break }
            }
            close(descriptor)
        }.url
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
