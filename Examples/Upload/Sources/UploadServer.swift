// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import Loopback

/// A server on the loopback interface that reads a form as it comes, and answers with its parts.
///
/// For this example alone: it takes one request on each connection, and runs until the process ends.
struct UploadServer {
    let url: URL

    /// Starts it on a free port.
    init() throws {
        let listener = try LoopbackListener {
            answer(on: FileHandle(fileDescriptor: $0, closeOnDealloc: true))
        }
        url = listener.url.appendingPathComponent("/")
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
