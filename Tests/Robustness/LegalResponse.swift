// SPDX-License-Identifier: MIT

import Foundation

/// An answer that a client has to read, of each kind there is.
struct LegalResponse: Sendable {
    enum Framing: Sendable {
        case length, chunked, untilClose, none
    }

    let head: String
    let content: [UInt8]
    let framing: Framing
    /// What a reader gets; nil where another answer follows.
    let body: String?
    var status = 200
    var isCoded = false

    var bytes: [UInt8] { Array("\(head)\r\n\r\n".utf8) + content }

    private init(
        _ head: [String], _ content: [UInt8] = [], _ framing: Framing, body: String?,
        status: Int = 200, isCoded: Bool = false
    ) {
        self.head = head.joined(separator: "\r\n")
        (self.content, self.framing, self.body) = (content, framing, body)
        (self.status, self.isCoded) = (status, isCoded)
    }

    private static let ok = "HTTP/1.1 200 OK"
    private static let json = "Content-Type: application/json; charset=utf-8"
    private static let chunked = "Transfer-Encoding: chunked"

    /// A text, and what Python's gzip and zlib make of it.
    private static let text =
        #"{"items":["\#(String(repeating: "abcdefgh", count: 40))"],"ok":true}"#
    private static let gzip = base64(
        "H4sIAAAAAAACA6tWyixJzS1WsopWSkxKTklNS88YpcmjlWJ1lPKzlaxKikpTawGm8eNlWAEAAA==")
    private static let zlib = base64(
        "eJyrVsosSc0tVrKKVkpMSk5JTUvPGKXJo5VidZTys5WsSopKU2sBAcuFeQ==")

    static let all: [LegalResponse] = [
        sized([ok, json], text),
        sized([ok, json, "Content-Encoding: gzip"], text, as: gzip),
        sized(
            [
                ok, "Server: a/1\r\n b/2\r\n\tc", "Set-Cookie: a=1; Path=/; Max-Age=1",
                "Set-Cookie: b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "X-Note: caf\u{E9}",
                "Date: Sun, 06 Nov 1994 08:49:37 GMT", "X-Empty:",
            ], "plain"),
        sized(["HTTP/1.1 302 Found", "Location: /healthy/0"], "moved", status: 302, leads: true),
        sized(
            ["HTTP/1.1 401 Unauthorized", #"WWW-Authenticate: Basic realm="a""#, json], "{}",
            status: 401),
        sized(
            ["HTTP/1.1 503 Service Unavailable", "Retry-After: 0", "Content-Type: text/html"],
            "<html>503</html>", status: 503),
        sized(
            ["HTTP/1.1 422 Unprocessable Content", "Content-Type: application/problem+json"],
            #"{"title":"No","detail":"Not so"}"#, status: 422),
        LegalResponse(
            [
                "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 103 Early Hints", "", ok,
                "Content-Length: 2",
            ], Array("ok".utf8), .length, body: "ok"),
        LegalResponse(["HTTP/1.1 204 No Content", "X-A: b"], [], .none, body: "", status: 204),
        LegalResponse(
            [ok, json, chunked], chunks([text]), .chunked, body: text),
        LegalResponse(
            [ok, json, chunked, "Trailer: X-Check"],
            chunks([text, text], "X-Check: 1\r\nX-A: 2\r\n"),
            .chunked, body: text + text),
        LegalResponse(
            [ok, "Content-Encoding: deflate", chunked], chunks(zlib), .chunked, body: text,
            isCoded: true),
        LegalResponse(
            [ok, chunked], chunks(Array(repeating: large, count: 4)), .chunked,
            body: String(repeating: large, count: 4)),
        LegalResponse(
            ["HTTP/1.0 200 OK", "Content-Type: text/plain"], Array("until the end".utf8),
            .untilClose, body: "until the end"),
        LegalResponse(
            [ok, "Connection: close", "Content-Encoding: gzip"], gzip, .untilClose, body: text,
            isCoded: true),
    ]

    private static let large = String(repeating: "0123456789abcdef", count: 1_500)

    private static func sized(
        _ head: [String], _ body: String, as coded: [UInt8]? = nil, status: Int = 200,
        leads: Bool = false
    ) -> LegalResponse {
        let content = coded ?? Array(body.utf8)
        return LegalResponse(
            head + ["Content-Length: \(content.count)"], content, .length, body: leads ? nil : body,
            status: status, isCoded: coded != nil)
    }

    private static func chunks(_ texts: [String], _ trailers: String = "") -> [UInt8] {
        let chunks = texts.map { "\(String($0.utf8.count, radix: 16));a=b\r\n\($0)\r\n" }
        return Array("\(chunks.joined())0\r\n\(trailers)\r\n".utf8)
    }

    private static func chunks(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
    }

    private static func base64(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text) ?? Data())
    }
}
