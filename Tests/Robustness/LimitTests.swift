// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import TestSupport
import Testing

/// What a server could fill the memory with, and the clear error that it meets.
///
/// Docs/Reliability.md has the table.
@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
    private let api = API(transport: CurlTransport().standard())

    private func failure(_ server: LoopbackServer) async -> (any Error)? {
        do {
            let _: Data = try await api.request(
                url: "\(server.url)/", method: .get, debug: false, timeoutInterval: 20)
            return nil
        } catch {
            return error
        }
    }

    /// Many fields, and one that never ends, at which libcurl itself has had enough.
    @Test(arguments: [("\r\nX: ", "head of the answer"), ("", "no HTTP answer")])
    func headOfAnAnswer(_ start: String, words: String) async throws {
        let filling = start + String(repeating: "x", count: 1_000)
        let head = "HTTP/1.1 200 OK\r\nX: " + String(repeating: filling, count: 2_000)
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.text(head), .hold]) }
        let error = await failure(server) as? URLError
        #expect(error?.code == .badServerResponse, "\(String(describing: error))")
        #expect(error?.localizedDescription.contains(words) == true)
    }

    /// As many interim answers as there are take no more than one.
    @Test func interimAnswers() async throws {
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n", count: 20_000)
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text(interim), .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            ])
        }
        let error = await failure(server)
        #expect(
            error == nil || (error as? URLError)?.code == .badServerResponse,
            "\(error.debugDescription)")
    }

    @Test func collectedBody() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\n"
        let block = Data(count: 8 << 20)
        let steps = [LoopbackServer.Step.text(head)] + Array(repeating: .send(block), count: 32)
        let server = try LoopbackServer { _ in LoopbackServer.Answer(steps + [.hold]) }
        let error = await failure(server) as? ResponseBodyError
        #expect(error?.kind == .tooLarge(limit: HTTPResponse.defaultLimit))
        #expect(error?.description.contains("\(HTTPResponse.defaultLimit)") == true)
    }

    /// 10 MiB that inflate to 10 GiB: the time and the memory are those of the limit.
    @Test func inflatedBody() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                // Gzip members in a row are one body (RFC 1952, section 2.2).
                let folder = try Folder()
                let gzip = try Command(
                    "/bin/sh", ["-c", "head -c 67108864 /dev/zero | gzip -9 >member"],
                    in: folder.url)
                #expect(gzip.waitUntilExit() == 0)
                let member = try #require(folder.data("member"))
                #expect(member.count * 160 < 11 << 20)
                let bomb = Data(repeatElement(member, count: 160).joined())
                let server = try LoopbackServer { request in
                    request.path == "/warm"
                        ? .text("warm") : .respond(200, [("Content-Encoding", "gzip")], body: bomb)
                }
                let transport = CurlTransport().standard()
                var request = HTTPRequest(URLRequest(url: server.url("/warm")))
                request.options.collect = 1 << 20
                _ = try await transport.send(request)
                let before = ProcessSize.now.peakKilobytes
                request.urlRequest.url = server.url("/")
                let error = await #expect(throws: ResponseBodyError.self) {
                    _ = try await transport.send(request)
                }
                #expect(error?.kind == .tooLarge(limit: 1 << 20))
                // The server of this process holds what it sends twice.
                #expect(ProcessSize.now.peakKilobytes - before < 48 << 10)
            }
        }
    }

    @Test func redirects() async throws {
        let server = try LoopbackServer { request in
            .respond(302, [("Location", request.path + "x")])
        }
        let error = await failure(server) as? URLError
        #expect(error?.code == .httpTooManyRedirects)
        #expect(server.requests.count == 21)
    }

    @Test func headerOfAPart() throws {
        let body = Data(
            "--B\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n\r\n--B--\r\n".utf8)
        #expect {
            try MultipartPart.parts(of: body, contentType: "multipart/form-data; boundary=B")
        } throws: { error in
            (error as? MultipartError)?.kind == .limit
        }
    }

    @Test func partsOfAForm() throws {
        let part = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
        let body = Data((String(repeating: part, count: 1_001) + "--B--\r\n").utf8)
        #expect {
            try MultipartPart.parts(of: body, contentType: "multipart/form-data; boundary=B")
        } throws: { error in
            (error as? MultipartError)?.kind == .limit
        }
    }

    @Test(arguments: ["data: ", "", "data: x\n"])
    func eventOfAStream(_ filling: String) async throws {
        let line = filling + (filling.hasSuffix("\n") ? "" : "x")
        let text = String(repeating: line, count: (1 << 16) / line.utf8.count)
        let server = try LoopbackServer { _ in
            .respond(200, [("Content-Type", "text/event-stream")], body: text)
        }
        let error = await #expect(throws: ResponseBodyError.self) {
            let answer = try await api.stream(url: "\(server.url)/", debug: false)
            for try await _ in answer.events(upTo: 1_024) {}
        }
        #expect(error?.kind == .partTooLarge(limit: 1_024))
    }

    @Test func bodyOfAnError() async throws {
        let server = try LoopbackServer { _ in .respond(500, body: Data(count: 1 << 20)) }
        let error = await failure(server) as? HTTPStatusError
        #expect(error?.body.count == HTTPStatusError.bodyLimit)
    }

    /// A status is told whatever the length of its body, plain or inflated, and whichever layer may swallow it.
    @Test(arguments: Way.curl, [(500, false), (503, true), (401, false), (302, true), (404, true)])
    func longBodyOfAnError(_ way: Way, answer: (status: Int, isCoded: Bool)) async throws {
        let (status, isCoded) = answer
        let folder = try Folder()
        let gzip = try Command(
            "/bin/sh", ["-c", "head -c 67108864 /dev/zero | gzip -1 >member"], in: folder.url)
        #expect(gzip.waitUntilExit() == 0)
        let block = isCoded ? try #require(folder.data("member")) : Data(count: 64 << 20)
        let coding = isCoded ? "Content-Encoding: gzip\r\n" : ""
        let head = "HTTP/1.1 \(status) No\r\n\(coding)Content-Length: \(block.count * 3)\r\n\r\n"
        let steps = [LoopbackServer.Step.text(head)] + Array(repeating: .send(block), count: 3)
        let server = try LoopbackServer { _ in LoopbackServer.Answer(steps) }
        let error = await #expect(throws: HTTPStatusError.self) {
            let _: String = try await way.load(.get, "\(server.url)/")
        }
        #expect(error?.status == status)
        #expect(error?.body == Data(count: HTTPStatusError.bodyLimit))
    }

    @Test func cookies() async throws {
        let policy = CookiePolicy.private
        let fields = (0..<2_000).map { ("Set-Cookie", "c\($0)=v") }
        let server = try LoopbackServer { _ in .respond(200, fields) }
        let api = API(transport: CurlTransport().standard(cookies: policy))
        try await api.request(url: "\(server.url)/", method: .get, debug: false)
        #expect(policy.cookies.count == 180)
    }
}
#endif
