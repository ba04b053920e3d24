// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// A server on the loopback interface that reads a form as it comes, and answers with its parts.
///
/// For this example alone: it takes one request on each connection, and runs until the process ends.
struct UploadServer {
    let url: URL

    /// Starts it on a free port.
    init() throws {
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
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!

        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread {
                    answer(on: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
                }
            }
        }
    }
}

private func answer(on connection: FileHandle) {
    var received = Data()
    let blankLine = Data("\r\n\r\n".utf8)
    while received.range(of: blankLine) == nil {
        let bytes = connection.availableData
        guard !bytes.isEmpty else { return }
        received += bytes
    }
    guard let end = received.range(of: blankLine) else { return }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
    let body = received[end.upperBound...]
    do {
        send(200, try parts(head, Data(body), from: connection), on: connection)
    } catch {
        send(400, "\(error)\n", on: connection)
    }
}

/// Reads the form to its end, keeping nothing but names and sizes.
private func parts(_ head: String, _ start: Data, from connection: FileHandle) throws -> String {
    func field(_ name: String) -> String {
        let line = head.components(separatedBy: "\r\n").first {
            $0.lowercased().hasPrefix(name + ":")
        }
        return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
    }
    var parser = try MultipartParser(contentType: field("content-type"))
    var rest = (Int(field("content-length")) ?? 0) - start.count
    var lines = ""
    var count = 0
    func take(_ bytes: Data) throws {
        for event in try parser.push(bytes) {
            switch event {
            case .head(let head):
                let file = head.filename.map { ", the file \($0)" } ?? ""
                lines += "  \(head.name)\(file), \(head.contentType ?? "text"): "
                count = 0
            case .content(let data): count += data.count
            case .end: lines += "\(count) bytes\n"
            }
        }
    }
    try take(start)
    while rest > 0 {
        let bytes = connection.availableData
        if bytes.isEmpty { break }
        rest -= bytes.count
        try take(bytes)
    }
    try parser.finish()
    return lines
}

private func send(_ status: Int, _ text: String, on connection: FileHandle) {
    let body = Data(text.utf8)
    let head =
        "HTTP/1.1 \(status) \r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    try? connection.write(contentsOf: Data(head.utf8) + body)
}
