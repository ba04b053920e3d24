// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPMultipart
import Testing

@testable import HTTPActor
@testable import HTTPCore

/// Random bytes for whatever reads what a stranger wrote: no input traps, and what has to hold of a result holds.
///
/// Each test is run once for a block of seeds, of which a failure names the one at fault.
@Suite(.timeLimit(.minutes(10)))
struct ParserFuzzTests {
    private static var seeds: [UInt64] {
        (0..<UInt64(Setting.fuzzCount)).map { Setting.fuzzSeed &+ $0 }
    }

    // MARK: Multipart

    /// What comes out is the same, however the bytes are split.
    @Test func multipartParser() throws {
        for seed in Self.seeds {
            var random = Seeded(seed)
            var form = MultipartForm()
            form.field(random.text(upTo: 20), random.text(upTo: 60))
            form.file("f", data: Data(random.bytes(upTo: 200)), filename: random.text(upTo: 20))
            let legal = (try? form.encoded()).map { Array($0) } ?? []
            let body = random.once(in: 3) ? random.bytes(upTo: 300) : Self.spoilt(legal, &random)
            let type =
                random.once(in: 20)
                ? "multipart/form-data" + random.text(upTo: 40) : form.contentType
            let whole = Self.parsed([body[...]], type)
            let parts = Self.parsed(Self.pieces(body, &random), type)
            #expect(whole == parts, "seed \(seed)")
        }
    }

    /// Heads and joined contents, until the error if there is one.
    private static func parsed(_ pieces: [ArraySlice<UInt8>], _ type: String) -> [String] {
        var (found, content) = ([String](), Data())
        do {
            var parser = try MultipartParser(contentType: type, maximumHeaderBytes: 200)
            for piece in pieces {
                for event in try parser.push(Data(piece)) {
                    switch event {
                    case .head(let head):
                        found.append("\(head)")
                    case .content(let data): content += data
                    case .end:
                        found.append(content.base64EncodedString())
                        content = Data()
                    }
                }
            }
            try parser.finish()
        } catch {
            // Events of the push that failed are lost, so that the pieces matter.
            return ["\(error.kind)"]
        }
        return found
    }

    // MARK: Heads

    @Test func headOfAnAnswer() {
        for seed in Self.seeds {
            var random = Seeded(seed)
            let bytes =
                random.once(in: 3)
                ? random.bytes(upTo: 300)
                : Self.spoilt(random.pick(LegalResponse.all).bytes, &random)
            var head = CurlHead()
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                if head.line(line + [0x0A]) != .nothing { break }
            }
            #expect(head.status >= 0 && head.status <= 9_999, "seed \(seed)")
            let ends = head.fields.allSatisfy { field in
                !(field.name + field.value).utf8.contains { $0 == 0x0A }
            }
            #expect(ends, "seed \(seed)")
        }
    }

    // MARK: URLs

    /// A value never reaches another endpoint, nor another part of the URL.
    @Test func pathTemplate() {
        let template = URLTemplate("https://host:1/a/{id}/b?q={q}")
        for seed in Self.seeds {
            var random = Seeded(seed)
            let (id, q) = (random.text(upTo: 30), random.text(upTo: 30))
            guard let url = try? template.url(filling: ["id": id, "q": q]) else {
                #expect(id.isEmpty || [".", ".."].contains(id), "seed \(seed)")
                continue
            }
            let text = url.absoluteString
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.count == 6 && text.hasPrefix("https://host:1/a/"), "seed \(seed)")
            #expect(parts.last?.hasPrefix("b?q=") == true, "seed \(seed)")
            #expect(String(parts[4]).percentDecoded == id, "seed \(seed)")
            #expect(
                text.split(separator: "=").last?.percentDecoded ?? "" == q || q.isEmpty)
        }
        for seed in Self.seeds {
            var random = Seeded(seed)
            let text = "https://host/" + random.text(upTo: 40)
            let url = try? URLTemplate(text).url(filling: [random.text(upTo: 3): "v"])
            #expect(url == nil || url?.host == "host", "seed \(seed)")
            _ = try? URLTemplate(random.text(upTo: 40)).url()
        }
    }

    /// A location leads to an http URL that can be requested, or nowhere.
    @Test func location() throws {
        for seed in Self.seeds {
            var random = Seeded(seed)
            let start = try #require(URL(string: "https://host/a?b#c"))
            let response = HTTPResponse(
                status: random.pick([301, 302, 303, 307, 308]),
                headers: HTTPFields([HTTPField(name: "Location", value: random.text(upTo: 40))]),
                url: start, body: ResponseBody())
            let request = HTTPRequest(URLRequest(method: .post, url: start))
            guard let redirect = try? Redirect(of: request, by: response) else { continue }
            let url = try #require(redirect.request.urlRequest.url)
            #expect(throws: Never.self, "seed \(seed)") { try RequestValidation.check(url) }
        }
    }

    // MARK: Fields

    /// A wait is from 0 to the longest, whatever the server asks for.
    @Test func retryAfter() async throws {
        let url = try #require(URL(string: "http://host/"))
        for seed in Self.seeds {
            var random = Seeded(seed)
            let text = random.pick([
                random.text(upTo: 40), "\(random.next())", "\(Double(bitPattern: random.next()))",
                Self.spoiltText("Sun, 06 Nov 1994 08:49:37 GMT", &random),
                Self.spoiltText("Sun Nov  6 08:49:37 1994", &random),
            ])
            let waits = Waits()
            let stub = Answering { number in
                HTTPResponse(
                    status: number == 1 ? 503 : 200, headers: ["Retry-After": text], url: url,
                    body: ResponseBody())
            }
            var retry = RetryTransport(base: stub)
            retry.sleep = { waits.append($0) }
            var request = HTTPRequest(URLRequest(url: url))
            request.options.attempts = 2
            _ = try await retry.send(request)
            let all = waits.values
            #expect(all.count == 1 && (0...60).contains(all[0]), "seed \(seed): \(text)")
        }
    }

    /// What is sent is one line of `name=value`, to the host that set it and to no other.
    @Test func setCookie() throws {
        let here = try #require(URL(string: "https://a.example.com/b/c"))
        let others = ["https://example.org/b/c", "https://com/", "http://a.example.com.evil/b/c"]
        for seed in Self.seeds {
            var random = Seeded(seed)
            let field = random.pick([
                random.text(upTo: 60), "a=b; " + random.text(upTo: 40),
                "a=b; Domain=" + random.text(upTo: 12),
                Self.spoiltText(
                    "a=b; Domain=example.com; Path=/b; Max-Age=99; Secure; HttpOnly", &random),
            ])
            var jar = CookieJar()
            jar.keep(field, from: here, now: Date(timeIntervalSince1970: 0))
            let sent = jar.field(for: here, now: Date(timeIntervalSince1970: 1)) ?? "a=b"
            #expect(sent.contains("="), "seed \(seed): \(field)")
            #expect(!sent.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "seed \(seed)")
            for other in others {
                let url = try #require(URL(string: other))
                let leaked = jar.field(for: url, now: Date(timeIntervalSince1970: 1))
                #expect(leaked == nil, "seed \(seed): \(field)")
            }
        }
    }

    // MARK: Events

    /// The same events come out, however the bytes are split; none is longer than its limit.
    @Test func serverSentEvents() {
        let legal =
            "id: 1\r\nevent: a\r\ndata: b\r\ndata: c\r\n\r\n: no\nretry: 5\n\ndata:é\r\rdata: d\n\n"
        for seed in Self.seeds {
            var random = Seeded(seed)
            let bytes =
                random.once(in: 3)
                ? random.bytes(upTo: 300) : Self.spoilt(Array(legal.utf8), &random)
            let whole = Self.events([bytes[...]])
            #expect(whole == Self.events(Self.pieces(bytes, &random)), "seed \(seed)")
            #expect(whole.allSatisfy { $0.data.utf8.count <= 100 }, "seed \(seed)")
        }
    }

    private static func events(_ pieces: [ArraySlice<UInt8>]) -> [ServerSentEvent] {
        var (splitter, parser) = (LineSplitter(limit: 100), EventParser(limit: 100))
        var events: [ServerSentEvent] = []
        do {
            for piece in pieces {
                splitter.add(Data(piece))
                while let line = try splitter.next() {
                    if let event = try parser.add(line) { events.append(event) }
                }
            }
        } catch {
            // Past the limit, when that is seen depends on the pieces.
            return []
        }
        return events
    }

    // MARK: Bodies

    /// Text, errors and excerpts of any bytes are text.
    @Test func bodies() throws {
        struct Item: Decodable {
            let items: [String]
            let date: Date
        }
        let url = try #require(URL(string: "https://host/"))
        for seed in Self.seeds {
            var random = Seeded(seed)
            let body = Data(
                random.once(in: 2)
                    ? random.bytes(upTo: 200)
                    : Self.spoilt(
                        Array(
                            #"{"items":["a","b"],"date":"2026-05-25T22:46:27.58Z","pw":"x"}"#.utf8),
                        &random))
            let type =
                "text/plain; charset="
                + random.pick(["utf-8", "utf-16", "iso-8859-1", random.text(upTo: 9)])
            let response = HTTPResponse(
                status: 422, headers: ["Content-Type": type], url: url, body: ResponseBody(body))
            let error = HTTPStatusError(
                status: 422, headers: ["Content-Type": "application/problem+json"], url: url,
                body: body)
            #expect(!error.localizedDescription.isEmpty, "seed \(seed)")
            let _: String? = try? JSONDecoder.httpDefault.value(of: body, in: response)
            #expect(throws: (any Error).self, "seed \(seed)") {
                let _: Int = try JSONDecoder.httpDefault.value(
                    of: body + Data("x".utf8), in: response)
            }
            _ = try? JSONDecoder.httpDefault.value(of: body, in: response) as Item
            _ = Secrets.masked(String(decoding: body, as: UTF8.self))
        }
    }
}

extension ParserFuzzTests {
    private static func spoilt(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.number(0...3) where !bytes.isEmpty {
            let place = random.number(0...(bytes.count - 1))
            let end = min(bytes.count, place + random.number(1...9))
            switch random.number(0...3) {
            case 0: bytes[place] ^= 1 << UInt8(random.number(0...7))
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: end)
            default: bytes.insert(contentsOf: random.bytes(upTo: 9), at: place)
            }
        }
        return bytes
    }

    private static func spoiltText(_ text: String, _ random: inout Seeded) -> String {
        String(decoding: spoilt(Array(text.utf8), &random), as: UTF8.self)
    }

    private static func pieces(
        _ bytes: [UInt8], _ random: inout Seeded
    ) -> [ArraySlice<UInt8>] {
        let ends = (0..<random.number(0...6)).map { _ in random.number(0...bytes.count) }.sorted()
        return zip([0] + ends, ends + [bytes.count]).map { bytes[$0..<$1] }
    }
}

/// The waits that were asked for.
private final class Waits: Sendable {
    private let list = Locked<[TimeInterval]>([])

    var values: [TimeInterval] { list.withLock { $0 } }

    func append(_ wait: TimeInterval) {
        list.withLock { $0.append(wait) }
    }
}

/// Gives the nth answer to the nth request.
private struct Answering: HTTPTransport {
    private let count = Locked(0)
    let answer: @Sendable (Int) -> HTTPResponse

    init(_ answer: @escaping @Sendable (Int) -> HTTPResponse) {
        self.answer = answer
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return answer(number)
    }
}
#endif
