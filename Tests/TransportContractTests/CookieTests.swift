// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whose cookies a stack sends and keeps, on each terminal: the jar's and nobody else's.
@Suite(.timeLimit(.minutes(5)))
struct CookieTests {
    /// A server that sets a cookie in each answer, the next number each time.
    private func settingServer() throws -> LoopbackServer {
        try LoopbackServer(
            script: (1...9).map { .respond(200, [("Set-Cookie", "jar=\($0); Path=/")]) })
    }

    private func cookies(_ server: LoopbackServer) -> [[String]] {
        server.requests.map { $0.values("Cookie") }
    }

    /// Neither a terminal nor a stack without cookies keeps any.
    @Test(arguments: Terminal.all.map(\.name), [false, true])
    func offSendsAndKeepsNone(terminal: String, isStandard: Bool) async throws {
        let server = try settingServer()
        let bare = try Terminal.named(terminal).make()
        let transport = isStandard ? bare.standard(cookies: .off) : bare
        for _ in 0..<3 { _ = try await transport.text(server.url) }
        let own = HTTPRequest.get(server.url) { $0.set("Cookie", "own=x") }
        _ = try await transport.send(own).data()
        _ = try await transport.text(server.url)
        #expect(cookies(server) == [[], [], [], ["own=x"], []])
        #expect(CookiePolicy.off.cookies.isEmpty)
    }

    @Test(arguments: Terminal.all.map(\.name))
    func privateIsOneStacksOwn(terminal: String) async throws {
        let server = try settingServer()
        let terminal = try Terminal.named(terminal)
        let one = terminal.make().standard(cookies: .private)
        let other = terminal.make().standard()
        for stack in [one, other, one, other] as [any HTTPTransport] {
            _ = try await stack.text(server.url)
        }
        #expect(cookies(server) == [[], [], ["jar=1"], ["jar=2"]])
    }

    @Test(arguments: Terminal.all.map(\.name))
    func jarThatIsHandedAroundIsShared(terminal: String) async throws {
        let server = try settingServer()
        let terminal = try Terminal.named(terminal)
        let jar = CookiePolicy.private
        _ = try await terminal.make().standard(cookies: jar).text(server.url)
        _ = try await terminal.make().standard(cookies: jar).text(server.url)
        #expect(cookies(server) == [[], ["jar=1"]])
        #expect(jar.cookies.map(\.value) == ["2"])
    }

    /// The process's own, on whatever terminal.
    @Test func sharedBelongsToTheProcess() async throws {
        let server = try LoopbackServer { _ in
            .respond(200, [("Set-Cookie", "duet-shared=1; Path=/shared")])
        }
        let url = server.url("/shared")
        for terminal in Terminal.all {
            _ = try await terminal.make().standard(cookies: .shared).text(url)
        }
        let transport: any HTTPTransport = .default
        _ = try await transport.text(url)
        // Beside those of other tests in this process.
        let sent = cookies(server).map { $0.first?.components(separatedBy: "; ") ?? [] }
        #expect(sent.count == Terminal.all.count + 1)
        #expect(sent.dropFirst().allSatisfy { $0.contains("duet-shared=1") })
        #expect(CookiePolicy.shared.cookies.contains { $0.name == "duet-shared" })
    }

    @Test(arguments: Terminal.all.map(\.name))
    func ownFieldWins(terminal: String) async throws {
        let server = try settingServer()
        let stack = try Terminal.named(terminal).make().standard()
        _ = try await stack.text(server.url)
        let own = HTTPRequest.get(server.url) { $0.set("cookie", "own=x") }
        _ = try await stack.send(own).data()
        // What came with the second answer is kept all the same.
        _ = try await stack.text(server.url)
        #expect(cookies(server) == [[], ["own=x"], ["jar=2"]])
    }

    // O-36
    @Test(arguments: Terminal.all.map(\.name))
    func severalFieldsAreSeveralCookies(terminal: String) async throws {
        let server = try LoopbackServer { _ in
            .respond(
                200,
                [
                    ("Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/"),
                    ("Set-Cookie", "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/"),
                    ("Set-Cookie", "c=3"), ("Set-Cookie", "d=4; Path=/elsewhere"),
                ])
        }
        let stack = try Terminal.named(terminal).make().standard()
        for _ in 0..<2 { _ = try await stack.text(server.url) }
        #expect(cookies(server) == [[], ["a=1; b=2; c=3"]])
    }

    @Test(arguments: Terminal.all.map(\.name))
    func hopsTakeAndGiveThem(terminal: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/login"
                ? .respond(303, [("Location", "/home"), ("Set-Cookie", "sid=7; Path=/")])
                : .respond(200, [("Set-Cookie", "sid=; Path=/; Max-Age=0")])
        }
        let stack = try Terminal.named(terminal).make().standard()
        let login = HTTPRequest.make(.post, server.url("/login"), .data(Data("pw".utf8)))
        _ = try await stack.send(login).data()
        _ = try await stack.text(server.url("/home"))
        #expect(cookies(server) == [[], ["sid=7"], []])
    }

    /// A jar that is saved and filled again sends the same.
    @Test(arguments: Terminal.all.map(\.name))
    func savedCookiesGoOut(terminal: String) async throws {
        let server = try settingServer()
        let terminal = try Terminal.named(terminal)
        let (jar, next) = (CookiePolicy.private, CookiePolicy.private)
        _ = try await terminal.make().standard(cookies: jar).text(server.url)
        for cookie in jar.cookies { next.keep(cookie) }
        let stack = terminal.make().standard(cookies: next)
        _ = try await stack.text(server.url)
        next.removeAll()
        _ = try await stack.text(server.url)
        #expect(cookies(server) == [[], ["jar=1"], []])
    }

    /// What Foundation's storages hold is left aside, and nothing is put there.
    @Test func storagesOfFoundationAreLeftAside() async throws {
        let server = try settingServer()
        let configuration = URLSessionConfiguration.default
        let storage = try #require(configuration.httpCookieStorage)
        let foreign = try #require(
            HTTPCookie(properties: [
                .name: "duet-foreign", .value: "1", .domain: server.host, .path: "/",
            ]))
        storage.setCookie(foreign)
        defer { storage.deleteCookie(foreign) }
        let bare = URLSessionTransport(configuration: configuration)
        _ = try await bare.text(server.url)
        _ = try await bare.text(server.url)
        _ = try await bare.standard().text(server.url)
        #expect(cookies(server) == [[], [], []])
        #expect(storage.cookies?.contains { $0.name == "jar" } == false)
    }
}

extension Terminal {
    fileprivate static func named(_ name: String) throws -> Terminal {
        try #require(all.first { $0.name == name })
    }
}
