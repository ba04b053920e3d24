// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

/// Hostile text in every place where the public API takes text: what the server saw, as raw bytes, is one request
/// with the fields it should have, and the text itself in its place, whole; or nothing was sent.
@Suite(.timeLimit(.minutes(5)))
struct InjectionTests {
    static let hostile = [
        "v\r\nX-Injected: 1", "v\nX-Injected: 1", "v\rX-Injected: 1",
        "v\r\n\r\nGET /injected HTTP/1.1\r\nHost: x\r\n\r\n", "a\0b", "\0",
        // What is cut to one byte a character becomes CR LF.
        "v\u{560D}\u{560A}X-Injected: 1", "v\u{2028}X-Injected: 1", "v\u{85}X-Injected: 1",
        "%0d%0aX-Injected:%201", "%00", "a%2Fb", "100%", "../../injected", "..", ".",
        "//injected/x",
        "/injected", "?injected=1", "a&injected=1", "a=b=c", "a+b", "#injected", "a;injected=1",
        "a HTTP/1.1\r\nX-Injected: 1", "a b", "\t", " ", "\u{7F}", "\u{1B}[2J", "{id}", "{", "}",
        "\\", "\"; filename=\"injected", "a\"b", "--B--", "a,b", "a:b", "user:pw@injected", "[::1]",
        "é", "😀", "\u{202E}gnp", "\u{FEFF}a", "$(injected)", "'; --", "<injected>",
    ]

    /// One string parameter: how it is given, and what the server must then have seen of it.
    struct Place: Sendable, CustomTestStringConvertible {
        let name: String
        let send: @Sendable (_ text: String, _ url: URL, _ api: API) async throws -> Void
        /// What arrived of it; nil where no place of its own is known.
        var arrived: (@Sendable (LoopbackServer.Request) -> String?)?
        /// What the text becomes by the rules of the place.
        var rule: @Sendable (String) -> String = { $0 }
        /// Whether the text is part of the URL by its meaning, so that it may change the path.
        var isURL = false

        var testDescription: String { name }
    }

    @Test(arguments: Place.all)
    func hostileTextStaysInItsPlace(_ place: Place) async throws {
        let events = "text/event-stream"
        let server = try LoopbackServer { request in
            request.first("Accept") == events
                ? .respond(200, [("Content-Type", events)]) : .text("ok")
        }
        let api = API(transport: CurlTransport().standard())
        for text in Self.hostile {
            let before = server.requests.count
            do {
                try await place.send(text, server.url("/base"), api)
            } catch is InvalidRequest, is MultipartError {
                #expect(server.requests.count == before, "\(place.name): \(text.debugDescription)")
                continue
            } catch {
                // A URL may name another server.
                #expect(place.isURL, "\(place.name): \(text.debugDescription): \(error)")
                continue
            }
            let new = server.requests.dropFirst(before)
            #expect(new.count == 1 || place.isURL, "\(place.name): \(text.debugDescription)")
            for request in new { check(request, place, text) }
        }
        #expect(server.requests.allSatisfy { $0.fields.count > 2 })
    }

    private func check(_ request: LoopbackServer.Request, _ place: Place, _ text: String) {
        let comment = Comment(
            rawValue: "\(place.name): \(text.debugDescription) in \(request.headText)")
        let head = [UInt8](request.head)
        // Lines that end in CRLF, and nothing else that a reader may take for an end.
        for (index, byte) in head.enumerated() {
            switch byte {
            case 0x0D: #expect(head[index + 1] == 0x0A, comment)
            case 0x0A: #expect(index > 0 && head[index - 1] == 0x0D, comment)
            case 0: Issue.record(comment)
            default: break
            }
        }
        let names = request.fields.map { $0.name.lowercased() }
        #expect(names.count == Set(names).count, comment)
        #expect(!names.contains { $0.contains("injected") } || place.name.contains("name"), comment)
        #expect(request.target.hasPrefix("/base") || place.isURL, comment)
        #expect(!request.target.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, comment)
        guard let arrived = place.arrived else { return }
        #expect(arrived(request) == place.rule(text), comment)
    }

    /// The one text of a server's that goes back to it in a field of its own.
    @Test func theIDOfAnEventIsOneField() async throws {
        for text in Self.hostile {
            let server = try LoopbackServer { _ in
                .respond(
                    200, [("Content-Type", "text/event-stream")], body: "id:\(text)\ndata:x\n\n")
            }
            let events = CurlTransport().standard().events(
                for: HTTPRequest(URLRequest(url: server.url("/base"))), sleep: { _ in })
            var count = 0
            do {
                for try await _ in events where count < 2 {
                    count += 1
                    if count == 2 { break }
                }
            } catch is InvalidRequest { continue }
            let place = Place(
                name: "event's id", send: { _, _, _ in },
                arrived: { $0.first("Last-Event-ID") ?? "" },
                rule: { text in
                    let line = text.unicodeScalars.prefix { $0 != "\r" && $0 != "\n" }
                    return line.contains("\0") ? "" : Place.trimmed(String(line))
                })
            for request in server.requests.dropFirst() { check(request, place, text) }
            #expect(server.requests.count == 2, "\(text.debugDescription)")
        }
    }

    @Test func whatWasKeptAsACookieIsOneLine() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = server.url("/base")
        for text in Self.hostile {
            for (name, value) in [(text, "v"), ("n", text)] {
                let cookies = CookiePolicy.private
                let properties: [HTTPCookiePropertyKey: Any] = [
                    .name: name, .value: value, .domain: "127.0.0.1", .path: "/",
                ]
                guard let cookie = HTTPCookie(properties: properties) else { continue }
                cookies.keep(cookie)
                let before = server.requests.count
                let request = HTTPRequest(URLRequest(url: url))
                let stack = CurlTransport().standard(cookies: cookies)
                _ = try? await stack.send(request).data()
                for request in server.requests.dropFirst(before) {
                    check(request, Place(name: "cookie name", send: { _, _, _ in }), text)
                }
            }
        }
        #expect(server.requests.count > 50)
    }
}
#endif
