// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the verbs that wrap a transport do over real bytes, on each terminal.
@Suite(.timeLimit(.minutes(5)))
struct WrappingTests {
    private typealias Answer = LoopbackServer.Answer

    private static let standard = Subject.all.filter(\.isStandard)

    /// Takes the token `new`, and echoes the body then.
    private func guardedServer() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.first("Authorization") == "Bearer new"
                ? .text(request.bodyText)
                : .respond(401, [("WWW-Authenticate", "Bearer")], body: "who?")
        }
    }

    private func source(for server: LoopbackServer, _ refreshes: Recorder<String>) -> TokenSource {
        TokenSource(for: server.url, startingWith: BearerToken("old")) { old in
            refreshes.append(old?.value ?? "")
            return BearerToken("new")
        }
    }

    @Test(arguments: standard, Reading.allCases)
    func aTokenIsRefreshedAndTheBodyIsSentAgain(_ subject: Subject, reading: Reading) async throws {
        let (server, refreshes) = (try guardedServer(), Recorder<String>())
        let transport = subject.transport().authenticating(with: source(for: server, refreshes))
        let text = String(decoding: pattern(100_000).map { $0 & 0x3F | 0x40 }, as: UTF8.self)
        let bodies: [RequestBody] = [
            .data(Data(text.utf8)), .stream(Chunks([Data(text.utf8)]), length: 100_000),
        ]
        for body in bodies {
            let source = source(for: server, refreshes)
            let transport = subject.transport().authenticating(with: source)
            let outcome = await transport.outcome(.make(.post, server.url("/"), body), reading)
            #expect(outcome.status == 200, "\(outcome)")
            #expect(outcome.text == text)
        }
        #expect(refreshes.values == ["old", "old"])
        #expect(server.requests.map(\.bodyText) == Array(repeating: text, count: 4))
        // The one that was made first is still at its first token.
        #expect(await transport.outcome(.get(server.url("/")), reading).status == 200)
        #expect(refreshes.values.count == 3)
    }

    @Test(arguments: standard)
    func requestsAtOnceShareOneRefresh(_ subject: Subject) async throws {
        let (server, refreshes) = (try guardedServer(), Recorder<String>())
        let gate = Gate()
        let source = TokenSource(for: server.url, startingWith: BearerToken("old")) { _ in
            refreshes.append("")
            await gate.wait()
            return BearerToken("new")
        }
        let transport = subject.transport().authenticating(with: source)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { await transport.outcome(.get(server.url("/"))).status }
            }
            #expect(await server.waitForRequests(20))
            gate.open()
            for await status in group { #expect(status == 200) }
        }
        #expect(refreshes.values.count == 1)
        #expect(server.requests.count == 40)
    }

    /// Another port is another origin.
    @Test(arguments: standard)
    func noOtherOriginGetsAToken(_ subject: Subject) async throws {
        let refreshes = Recorder<String>()
        let other = try LoopbackServer { _ in .respond(401, [("WWW-Authenticate", "Bearer")]) }
        let target = other.url("/x").absoluteString
        let server = try LoopbackServer { _ in .respond(307, [("Location", target)]) }
        let transport = subject.transport().authenticating(with: source(for: server, refreshes))
        #expect(await transport.outcome(.get(server.url("/"))).status == 401)
        #expect(await transport.outcome(.get(other.url("/"))).status == 401)
        #expect(server.requests.map { $0.first("Authorization") } == ["Bearer old"])
        #expect(other.requests.map { $0.first("Authorization") } == [nil, nil])
        #expect(refreshes.values == [])
    }

    @Test(arguments: Subject.all)
    func basicCredentialsArrive(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
            .authenticating(user: "Aladdin", password: "open sesame", for: server.url)
        #expect(await transport.outcome(.get(server.url("/"))).text == "ok")
        let sent = server.requests.map { $0.first("Authorization") }
        #expect(sent == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func repeatsAndTheirWaitsAreInTheMetrics(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer(script: [
            .text("later", status: 503), .text("later", status: 500), .text("ok"),
        ])
        var policy = RetryPolicy()
        policy.decide = { _, _, wait in wait.map { _ in 0.001 } }
        let transport = subject.transport().retrying(policy)
        let outcome = await transport.outcome(.get(server.url("/")), reading)
        guard case .answer(let response, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(outcome.text == "ok")
        #expect(response.metrics?.attempts == 3)
        #expect(response.metrics?.waited == 0.002)
    }

    @Test func theLimitCoversTheBody() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await eachWay(Subject.all) { try await WrappingTests().checkLimit($0, $1) }
            }
        }
    }

    private func checkLimit(_ subject: Subject, _ reading: Reading) async throws {
        let server = try LoopbackServer { _ in
            Answer([.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"), .hold])
        }
        let transport = subject.transport().timingOut(after: 0.5)
        let outcome = await transport.outcome(.get(server.url("/")), reading)
        #expect(outcome.urlError?.code == .timedOut, "\(outcome)")
        #expect(outcome.urlError?.requestMayHaveArrived == true)
        #expect(outcome.failedInBody == (reading == .streamed))
        #expect(await server.waitForOpenConnections(0))
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func bodiesAreLoggedAsTheyCame(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { _ in .json(#"{"token":"s3cret","a":1}"#) }
        let texts = Recorder<String>()
        let transport = subject.transport().logging(bodies: 1_000) {
            texts.append($0)
        }
        let request = HTTPRequest.make(.post, server.url("/"), .data(Data("a=1&pin=s3cret".utf8))) {
            $0.set("Content-Type", "application/x-www-form-urlencoded")
        }
        #expect(await transport.outcome(request, reading).status == 200)
        try #require(texts.values.count == 1)
        let lines = texts.values[0].components(separatedBy: "\n")
        #expect(lines[0].hasPrefix("POST \(server.url("/")) → 200, 24 bytes, "))
        #expect(
            lines[1...] == [
                "> a=1&pin=•••", "< {", #"<   "a" : 1,"#, #"<   "token" : "•••""#, "< }",
            ])
    }

    /// What is timed, in its order.
    ///
    /// A terminal that does not know leaves it out.
    @Test(arguments: Subject.all, Reading.allCases)
    func metricsAreComplete(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { request in .text(request.bodyText + "!") }
        let transport = subject.transport()
        // A name, so that there is a look-up.
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))
        for isReused in [false, true] {
            let request = HTTPRequest.make(.post, url, .data(Data("abc".utf8)))
            guard case .answer(let response, _) = await transport.outcome(request, reading) else {
                Issue.record("no answer")
                return
            }
            let metrics = try #require(response.metrics)
            #expect(metrics.bodyBytesSent == 3)
            #expect(metrics.bodyBytesReceived == 4)
            #expect(metrics.attempts == 1)
            #expect(metrics.waited == 0)
            #expect(metrics.total > 0)
            let firstByte = try #require(metrics.firstByte)
            #expect(firstByte > 0 && firstByte <= metrics.total)
            try await subject.expect(.connectionMetrics) {
                #expect(metrics.httpVersion == "HTTP/1.1")
                #expect(metrics.reusedConnection == isReused)
                #expect(metrics.secureConnect == nil)
                #expect((metrics.connect == nil) == isReused)
                #expect((metrics.nameLookup == nil) == isReused)
                guard !isReused else { return }
                let lookup = try #require(metrics.nameLookup)
                let connect = try #require(metrics.connect)
                #expect(lookup <= connect && connect <= firstByte)
            }
        }
    }
}
