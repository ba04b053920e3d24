// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct CurlCommandTests {
    /// A request, and what is to be typed into a shell in its place.
    private func request(
        _ method: HTTPMethod, _ url: URL, _ headers: [String: String] = [:],
        _ body: RequestBody = .empty
    ) throws -> HTTPRequest {
        var urlRequest = URLRequest(method: method, url: url)
        for (name, value) in headers { try urlRequest.setHeader(name, value) }
        return HTTPRequest(urlRequest, body: body)
    }

    /// Runs it, with a file as its input.
    private func run(_ command: String, input: Data = Data()) async throws -> Int32? {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("input", input)
        let line = "\(command) --silent --output /dev/null --max-time 20 <\"$0\""
        return try await Command("/bin/sh", ["-c", line, file.path], in: folder.url).exitStatus()
    }

    private static let texts = [
        "plain", "it's", #"a "quoted" \ one"#, "$HOME `id` $(id) !", "@/etc/passwd", "-x", "ä 漢 🎈",
        "two\nlines\r\n", "a=1&b=%20+", "", " ",
    ]

    @Test(arguments: texts)
    func itSendsTheBody(text: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let command = try request(.post, server.url("/"), [:], .data(Data(text.utf8))).curlCommand()
        #expect(try await run(command) == 0)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.bodyText == text)
        #expect(sent.first("Content-Type") == nil)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: texts.filter { !$0.contains("\n") && !$0.isEmpty && $0 != " " })
    func itSendsTheHeaderFields(text: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let headers = [
            "X-A": text, "X-It's": "1", "X-Empty": "", "Content-Length": "7", "Accept": "a/b",
        ]
        #expect(try await run(request(.get, server.url("/"), headers).curlCommand()) == 0)
        let sent = try #require(server.requests.first)
        #expect(sent.first("X-A") == text)
        #expect(sent.first("X-It's") == "1")
        #expect(sent.first("X-Empty") == "")
        #expect(sent.values("Accept") == ["a/b"])
        #expect(sent.first("Content-Length") == nil)
    }

    @Test(arguments: ["/a?b=[1-3]&c={x,y}", "/it's", "/a%20b?q=%26&r='", "/?a=1&b=$HOME"])
    func itGoesToTheURL(target: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        guard let url = URL(string: server.url("").absoluteString + target) else { return }
        #expect(try await run(request(.get, url).curlCommand()) == 0)
        let path = String(url.absoluteString.dropFirst(server.url("").absoluteString.count))
        #expect(server.requests.map(\.target) == [path])
    }

    @Test(arguments: [
        HTTPMethod.get, .head, .post, .put, .patch, .delete, .options,
        HTTPMethod(rawValue: "PURGE"),
    ])
    func itHasTheMethod(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .bodiless(204) }
        #expect(try await run(request(method, server.url("/")).curlCommand()) == 0)
        let sent = try #require(server.requests.first)
        #expect(sent.method == method.rawValue)
        let hasContent = [.post, .put, .patch, HTTPMethod(rawValue: "PURGE")].contains(method)
        #expect(sent.first("Content-Length") == (hasContent ? "0" : nil))
    }

    @Test func aFileIsRead() async throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("it's", Data([0, 1, 2, 255]))
        let server = try LoopbackServer { _ in .text("ok") }
        #expect(try await run(request(.put, server.url("/"), [:], .file(file)).curlCommand()) == 0)
        #expect(server.requests.map(\.body) == [Data([0, 1, 2, 255])])
    }

    @Test(arguments: [
        RequestBody.stream(Chunks("ab", "c")), .data(Data([0, 1, 2])), .data(Data([0xFF, 0xFE])),
        .data(Data(repeating: 0x61, count: 65_537)),
    ])
    func whatIsNotShownComesFromStandardInput(body: RequestBody) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let command = try request(.post, server.url("/"), ["Content-Type": "a/b"], body)
            .curlCommand()
        #expect(command.utf8.count < 300)
        #expect(try await run(command, input: Data([9, 0, 10])) == 0)
        #expect(server.requests.map(\.body) == [Data([9, 0, 10])])
    }

    @Test func itShowsNoSecretUnlessAskedTo() throws {
        let url = try #require(URL(string: "https://ada:s3cret-u@h.net/?api_key=s3cret-q&page=2"))
        var request = try request(
            .post, url,
            ["Authorization": "Bearer s3cret-a", "Cookie": "sid=s3cret-c", "X-House": "s3cret-h"],
            .data(Data(#"{"password":"s3cret-p","echo":"s3cret-a"}"#.utf8)))
        request.options.secretHeaders = ["x-house"]
        let masked = request.curlCommand()
        #expect(!masked.contains("s3cret"), "\(masked)")
        #expect(masked.contains("page=2"))
        let shown = request.curlCommand(showsSecrets: true)
        for secret in "uqachp" { #expect(shown.contains("s3cret-\(secret)")) }
    }

    /// The name of a part stands too far from its value for a mask.
    @Test func aFormInMemoryIsNotShownUnlessAskedTo() throws {
        let part = "Content-Disposition: form-data; name=\"password\"\r\n\r\ns3cret"
        let url = try #require(URL(string: "https://h.net"))
        let request = try request(
            .post, url, ["Content-Type": "multipart/form-data; boundary=b"],
            .data(Data("--b\r\n\(part)\r\n--b--\r\n".utf8)))
        #expect(request.curlCommand().contains("--data-binary '@-'"))
        #expect(!request.curlCommand().contains("s3cret"))
        #expect(request.curlCommand(showsSecrets: true).contains("s3cret"))
    }

    @Test func itReadsWell() throws {
        let url = try #require(URL(string: "https://host"))
        let request = try request(
            .post, url, ["Content-Type": "application/json"], .data(Data(#"{"name":"Ada"}"#.utf8)))
        #expect(
            request.curlCommand()
                == #"curl -g -X 'POST' -H 'Content-Type: application/json' --compressed --data-raw '{"name":"Ada"}' 'https://host'"#
        )
    }
}
#endif
