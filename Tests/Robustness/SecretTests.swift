// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

@testable import HTTPCore

/// Secrets in every place where a call may have one, over a server that gives all of them back: none shows in a log
/// line or in a text of an error.
///
/// Shown is what a caller asks for by its name, or by `dump`: an error's `body`, `headers` and `url`.
@Suite(.timeLimit(.minutes(5)))
struct SecretTests {
    private static let mark = "s3cret"

    /// What the server does with what it was sent.
    enum Reply: String, CaseIterable, Sendable {
        case wrongType, brokenJSON, empty, serverError, problem, redirect, cut, noHTTP, reset
        case wrongLength, silence, plainName
    }

    private static func answer(_ reply: Reply, _ request: LoopbackServer.Request)
        -> LoopbackServer.Answer
    {
        let fields = request.fields.map { #""\#($0.name)":"\#($0.value)""# }.joined(separator: ",")
        let escaped = request.target.replacingOccurrences(of: "\"", with: "")
        let body = request.bodyText.hasPrefix("{") ? request.bodyText : "{}"
        let echo =
            #"{"target":"http://h\#(escaped)","body":\#(body),"id":"no number",\#(fields)}"#
        let cookie = ("Set-Cookie", "sid=s3cret-set; Path=/")
        return switch reply {
        case .wrongType: .respond(200, [cookie, ("Content-Type", "application/json")], body: echo)
        case .brokenJSON: .respond(200, [cookie], body: String(echo.dropLast(3)))
        case .empty: .respond(204, [cookie])
        case .serverError: .json(echo, status: 500)
        case .problem:
            .respond(
                422, [cookie, ("Content-Type", "application/problem+json")],
                body:
                    #"{"title":"http://u:s3cret@h/?token=s3cret","detail":"Bearer s3cret-auth has expired"}"#
            )
        case .redirect:
            .respond(302, [cookie, ("Location", "ftp://u:s3cret-loc@h/?token=s3cret-loc2")])
        case .cut: .cut("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n\(echo)")
        case .noHTTP: .cut("\(echo)\r\n\r\n")
        case .reset: LoopbackServer.Answer([.reset])
        case .wrongLength:
            .cut("HTTP/1.1 200 OK\r\nContent-Length: s3cret\r\nX-Api-Key: s3cret\r\n\r\n")
        case .silence: LoopbackServer.Answer([.hold])
        // What a layer had added, under a name that does not tell.
        case .plainName:
            .respond(
                200, body: #"{"id":"no number","you said":"bearer s3cret-added.by~a/layer+="}"#)
        }
    }

    @Test(arguments: Reply.allCases)
    func noLineAndNoErrorHasASecret(_ reply: Reply) async throws {
        let server = try LoopbackServer { Self.answer(reply, $0) }
        let lines = Locked<[String]>([])
        let stack = logging(to: lines)
        let root = "http://ann:s3cret-userinfo@127.0.0.1:\(server.port)"
        var texts: [String] = []
        for (url, body) in Self.bodies(root) {
            texts += await Self.actorTexts(API(transport: stack), url, body)
            texts += await Self.endpointTexts(stack, url, body)
        }
        texts += await Self.transferTexts(API(transport: stack), root)
        let shown = lines.withLock { $0 } + texts
        #expect(lines.withLock { $0.count } >= 4)
        #expect(texts.count >= 40 || reply == .empty)
        for text in shown { #expect(!text.contains(Self.mark), "\(text)") }
    }

    /// The standard stack around a log of ours.
    private func logging(to lines: Locked<[String]>) -> any HTTPTransport {
        CurlTransport().standard(cookies: .private).logging(bodies: 65_536) { line in
            lines.withLock { $0.append(line) }
        }
    }

    private struct Wrong: Decodable, Sendable {
        let id: Int
    }

    private static let headers = [
        "Authorization": "Bearer s3cret-auth", "Cookie": "sid=s3cret-cookie",
        "Proxy-Authorization": "Basic s3cret-proxy", "X-Api-Key": "s3cret-key",
        "X-Auth-Token": "s3cret-token",
    ]

    private static func bodies(_ root: String) -> [(url: String, body: any HTTPBody)] {
        [
            (
                "\(root)/a?access_token=s3cret-query&page=2#token=s3cret-fragment",
                .form(["pw": "s3cret-form"])
            ),
            ("\(root)/a?api_key=s3cret-query", jsonBody(["password": "s3cret-json"])),
            ("\(root)/\u{20}bad?token=s3cret", .form(["pw": "s3cret"])),
            ("http://u:s3cret@/?token=s3cret", .form(["pw": "s3cret"])),
            (
                "s3cret://u:s3cret@h/?token=s3cret".replacingOccurrences(
                    of: "s3cret:", with: "ftp:"), .form(["pw": "s3cret"])
            ),
        ]
    }

    private static func actorTexts(
        _ api: API, _ url: String, _ body: any HTTPBody
    ) async -> [String] {
        await api.setupCertification(certData: Data("no file".utf8), password: "s3cret-p12")
        return await texts {
            let _: Wrong = try await api.request(
                url: url, method: .post, body: body, headers: headers, debug: true,
                timeoutInterval: 0.3)
        }
    }

    private static func endpointTexts(
        _ stack: any HTTPTransport, _ url: String, _ body: any HTTPBody
    ) async -> [String] {
        guard let url = URL(string: url) else { return [] }
        var request = URLRequest(method: .post, url: url)
        request.allHTTPHeaderFields = headers
        request.httpBody = try? body.encoded().data
        request.timeoutInterval = 0.3
        let endpoint = Endpoint<Wrong>(
            request: request, decodeResponse: JSONDecoder().decodeResponse)
        let stateful = StatefulEndpoint(endpoint: endpoint, transport: stack)
        await stateful.reload()
        var command = HTTPRequest(request)
        command.options.identity = ClientIdentity(
            pkcs12: Data("no file".utf8), password: "s3cret-p12")
        return await texts { _ = try await endpoint.load(on: stack) }
            + [
                command.curlCommand(),
                "\(endpoint)", "\(stateful.state)",
                String(reflecting: HTTPRequest(request).description),
            ]
    }

    /// URLs whose password can't be told from their host, path or query.
    @Test(arguments: [
        "http://ann:s3cret/x@h/", "http://ann:a#s3cret@h", "http://ann:a?s3cret@h",
        "//ann:s3cret@h",
        "ann:s3cret@h", "http:/ann:s3cret@h", "http:ann:s3cret@h", "ann:s3cret//x@h",
        "http://ann:a/s3cret@s3cret@h/?token=s3cret", "http://ann:s3cret/x@h/{id}",
        "HTTP:///ann:s3cret@h",
        "ann:s3cret@h/?mail=a@b", "http://[::1]s3cret@h", "http://ann:1 s3cret/@h",
    ])
    func noTextHasThePasswordOfAWrongURL(_ text: String) async throws {
        let lines = Locked<[String]>([])
        let stack = logging(to: lines)
        var texts = await Self.actorTexts(API(transport: stack), text, .form(["a": "b"]))
        #expect(!texts.isEmpty)
        texts += await Self.endpointTexts(stack, text, .form(["a": "b"]))
        for text in texts + lines.withLock({ $0 }) { #expect(!text.contains(Self.mark), "\(text)") }
    }

    /// A whole line where only a name belongs.
    @Test(arguments: [
        "Authorization: Bearer s3cret", "X-Api-Key: s3cret", "X-Api-Key s3cret", "Cookie=s3cret",
        "Cookie\r\n s3cret", "X-Api-Key:s3cret",
    ])
    func noErrorHasWhatStandsAfterANameOfAField(_ name: String) async throws {
        let api = API(transport: StubTransport { _ in .status(204) })
        let texts = await Self.texts {
            try await api.request(
                url: "http://h/", method: .get, headers: [name: "x"], debug: false)
        }
        #expect(!texts.isEmpty)
        for text in texts { #expect(!text.contains(Self.mark), "\(text)") }
        #expect(texts[0].contains(name.prefix { $0.isLetter || $0 == "-" }))
    }

    /// A form, a file and a download.
    private static func transferTexts(_ api: API, _ root: String) async -> [String] {
        var form = MultipartForm()
        form.field("password", "s3cret-part")
        let url = "\(root)/u?token=s3cret-query"
        var all = await texts {
            let _: Wrong = try await api.upload(
                url: url, form: form, headers: headers, debug: true, timeoutInterval: 0.3)
        }
        let folder = try? Folder()
        let file = folder?.url.appendingPathComponent("f") ?? URL(fileURLWithPath: "/nonexistent")
        all += await texts {
            try await api.download(
                url: url, to: file, headers: headers, debug: true, timeoutInterval: 0.3)
        }
        return all
    }

    /// Every text that an error has for people.
    private static func texts(_ work: () async throws -> Void) async -> [String] {
        do {
            try await work()
            return []
        } catch {
            return [
                "\(error)", String(reflecting: error), error.localizedDescription,
                userMessage(for: error), "\(error as NSError)", (error as NSError).debugDescription,
                (error as? any LocalizedError)?.errorDescription ?? "",
            ]
        }
    }

    /// What OpenSSL says of a file that it can't decrypt is part of the error.
    @Test(.enabled(if: NginxServer.isInstalled))
    func noLineAndNoErrorHasThePasswordOfACertificate() async throws {
        let server = try NginxServer(.init(clients: .required))
        let certificates = try TestCertificates.shared()
        let lines = Locked<[String]>([])
        let transport = CurlTransport(trust: .roots(try certificates.root)).standard()
            .logging(bodies: 65_536) { line in lines.withLock { $0.append(line) } }
        let api = API(transport: transport)
        await api.setupCertification(certData: try certificates.pkcs12(), password: "s3cret-p12")
        let texts = await Self.texts {
            try await api.request(url: "\(server.url())", method: .get, debug: true)
        }
        #expect(!texts.isEmpty)
        #expect(texts.contains { $0.contains("password") })
        for text in texts + lines.withLock({ $0 }) { #expect(!text.contains(Self.mark), "\(text)") }
    }

    /// What may be printed in passing, be it by `dump`.
    @Test func noValueShowsItsSecrets() throws {
        let identity = ClientIdentity(pkcs12: Data("s3cret-file".utf8), password: "s3cret-p12")
        let url = try #require(URL(string: "https://u:s3cret@h/?token=s3cret"))
        var request = HTTPRequest(URLRequest(url: url))
        request.urlRequest.allHTTPHeaderFields = Self.headers
        request.options.identity = identity
        let field = HTTPField(name: "Authorization", value: "s3cret")
        let response = HTTPResponse(
            status: 200, headers: HTTPFields([field]), url: url, body: ResponseBody())
        let cookies = CookiePolicy.private
        cookies.keep(
            try #require(
                HTTPCookie(properties: [
                    .name: "a", .value: Self.mark, .domain: "h.net", .path: "/",
                ])))
        #expect(cookies.cookies.count == 1)
        let values: [Any] = [
            cookies, BearerToken(Self.mark), identity, request.options,
            TLSSettings(identity: identity), field,
            URLTemplate(url.absoluteString), URLTemplate("//u:s3cret@h"),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains(Self.mark), "\(text)")
            }
        }
        for text in ["\(request)", "\(response)", "\(HTTPFields([field]))"] {
            #expect(!text.contains(Self.mark), "\(text)")
        }
    }
}
#endif
