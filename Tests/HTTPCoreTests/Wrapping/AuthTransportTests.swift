// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server that takes the tokens it is told to, as a stub.
private final class Guarded: Sendable {
    let good = Locked<Set<String>>(["new"])
    let stub: StubTransport

    init(_ more: @escaping @Sendable (HTTPRequest) -> StubTransport.Answer? = { _ in nil }) {
        stub = StubTransport { [good] request in
            if let answer = more(request) { return answer }
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
            let isGood = good.withLock { $0.contains(String(field.dropFirst("Bearer ".count))) }
            return isGood ? .json("1") : .status(401, body: Data("who?".utf8))
        }
    }

    var asked: [String] {
        stub.requests.map { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            return
                "\(request.urlRequest.httpMethod ?? "") \(request.urlRequest.url?.path ?? "") \(field ?? "-")"
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct AuthTransportTests {
    private let url = URL(string: "https://host/a")!
    private let elsewhere = URL(string: "https://other/a")!

    /// A source that starts with an old token, and counts how often it is asked for a new one.
    private func source(_ count: Locked<Int> = Locked(0), giving token: String = "new")
        -> TokenSource
    {
        TokenSource(for: url, startingWith: BearerToken("old")) { _ in
            count.withLock { $0 += 1 }
            return BearerToken(token)
        }
    }

    @Test func aTokenIsSentAndNotRefreshedWhileItIsTaken() async throws {
        let (server, count) = (Guarded(), Locked(0))
        server.good.withLock { $0 = ["old"] }
        let transport = server.stub.authenticating(with: source(count))
        for _ in 0..<2 { #expect(try await transport.roundTrip(url: url).status == 200) }
        #expect(server.asked == ["GET /a Bearer old", "GET /a Bearer old"])
        #expect(count.withLock { $0 } == 0)
    }

    /// The refresh may need the connection that the 401 holds until it is read or dropped.
    @Test func theBodyOfA401IsLetGoBeforeTheRefresh() async throws {
        let (isOver, order) = (Locked(false), Locked<[Bool]>([]))
        let stub = AnswersInTurn([
            { request in
                let body = ResponseBody {
                    Data(count: 100_000)
                } metrics: {
                    nil
                } cancel: {
                    isOver.withLock { $0 = true }
                }
                let url = try #require(request.urlRequest.url)
                return HTTPResponse(status: 401, headers: [:], url: url, body: body)
            }, AnswersInTurn.status(200),
        ])
        let source = TokenSource(for: url, startingWith: BearerToken("old")) { _ in
            order.withLock { $0.append(isOver.withLock { $0 }) }
            return BearerToken("new")
        }
        let response = try await stub.authenticating(with: source).roundTrip(url: url)
        #expect(response.status == 200)
        #expect(order.withLock { $0 } == [true])
    }

    @Test func a401RefreshesAndTheRequestIsSentAgainWithItsBody() async throws {
        let (server, count) = (Guarded(), Locked(0))
        let transport = server.stub.standard().authenticating(with: source(count))
        let bodies: [RequestBody] = [
            .data(Data("body".utf8)), .stream(Chunks("bo", "dy")), .data(Data("body".utf8)),
        ]
        for body in bodies {
            #expect(try await transport.roundTrip(.post, url, body: body).status == 200)
        }
        #expect(
            server.asked == [
                "POST /a Bearer old", "POST /a Bearer new", "POST /a Bearer new",
                "POST /a Bearer new",
            ])
        #expect(count.withLock { $0 } == 1)
        for request in server.stub.requests {
            guard case .data(let body) = request.body else {
                Issue.record("no body")
                return
            }
            #expect(body == Data("body".utf8))
        }
    }

    @Test func aSecond401IsTheAnswer() async throws {
        let (server, count) = (Guarded(), Locked(0))
        let transport = server.stub.standard().authenticating(with: source(count, giving: "bad"))
        let response = try await transport.roundTrip(url: url)
        #expect(response.status == 401)
        #expect(try await response.data() == Data("who?".utf8))
        #expect(server.asked == ["GET /a Bearer old", "GET /a Bearer bad"])
        #expect(count.withLock { $0 } == 1)
    }

    @Test func otherOriginsGetNoToken() async throws {
        let server = Guarded()
        let transport = server.stub.standard().authenticating(with: source())
        for other in ["https://other/a", "http://host/a", "https://host:8443/a"] {
            let url = try #require(URL(string: other))
            #expect(try await transport.roundTrip(url: url).status == 401)
        }
        #expect(server.asked == Array(repeating: "GET /a -", count: 3))
    }

    // The 401 of a foreign origin says nothing about the token, which it never saw.
    @Test func aForeign401RefreshesAndRepeatsNothing() async throws {
        let count = Locked(0)
        let server = Guarded { request in
            request.urlRequest.url?.path == "/r"
                ? .status(307, headers: ["Location": "https://other/a"]) : nil
        }
        let transport = server.stub.standard().authenticating(with: source(count))
        for method in [HTTPMethod.get, .post] {
            let url = url.appendingRelative("/r")
            #expect(try await transport.roundTrip(method, url).status == 401)
        }
        #expect(
            server.asked == [
                "GET /r Bearer old", "GET /a -", "POST /r Bearer old", "POST /a -",
            ])
        #expect(count.withLock { $0 } == 0)
    }

    // What was answered by a redirect was acted on, also where it leads back to the same URL.
    @Test(arguments: [("/r", "/a"), ("/a", "/a")])
    func aPOSTThatWasRedirectedIsNotSentAgain(path: String, location: String) async throws {
        let count = Locked(0)
        let server = Guarded { request in
            request.urlRequest.httpMethod == "POST"
                ? .status(303, headers: ["Location": location]) : nil
        }
        let transport = server.stub.standard().authenticating(with: source(count))
        let response = try await transport.roundTrip(.post, url.appendingRelative(path))
        #expect(response.status == 401)
        #expect(server.asked == ["POST \(path) Bearer old", "GET \(location) Bearer old"])
        #expect(count.withLock { $0 } == 0)
    }

    @Test func aGETThatWasRedirectedIsSentAgainFromItsStart() async throws {
        let server = Guarded { request in
            request.urlRequest.url?.path == "/r" ? .status(302, headers: ["Location": "/a"]) : nil
        }
        let transport = server.stub.standard().authenticating(with: source())
        #expect(try await transport.roundTrip(url: url.appendingRelative("/r")).status == 200)
        #expect(
            server.asked == [
                "GET /r Bearer old", "GET /a Bearer old", "GET /r Bearer new", "GET /a Bearer new",
            ])
    }

    // Whatever follows redirects inside, the URL of the answer tells.
    @Test func aRedirectBelowATransportOfTheAppsOwnIsSeen() async throws {
        let count = Locked(0)
        let server = Guarded { request in
            request.urlRequest.httpMethod == "POST"
                ? .status(303, headers: ["Location": "/x"]) : nil
        }
        let transport = Passing(base: server.stub.standard()).authenticating(with: source(count))
        #expect(try await transport.roundTrip(.post, url).status == 401)
        #expect(count.withLock { $0 } == 0)
    }

    @Test func aFieldOfTheCallersOwnWins() async throws {
        let (server, count) = (Guarded(), Locked(0))
        let transport = server.stub.authenticating(with: source(count))
        let response = try await transport.roundTrip(.get, url, ["authorization": "Mine x"])
        #expect(response.status == 401)
        #expect(server.asked == ["GET /a Mine x"])
        #expect(count.withLock { $0 } == 0)
    }

    @Test func aTokenThatNoFieldCanHoldIsRefused() async throws {
        let server = Guarded()
        let source = TokenSource(for: url, startingWith: BearerToken("a\r\nX: 1")) { _ in
            BearerToken("new")
        }
        let transport = server.stub.authenticating(with: source)
        await #expect(throws: InvalidRequest.self) { try await transport.roundTrip(url: url) }
        #expect(server.asked == [])
    }

    // Of two users in one process, neither sees the other's.
    @Test func clientsHaveTokensOfTheirOwn() async throws {
        let server = Guarded()
        server.good.withLock { $0 = ["ada", "bob"] }
        let stack = server.stub.standard(cookies: .private)
        let transports = ["ada", "bob"].map { name in
            stack.authenticating(with: TokenSource(for: url) { _ in BearerToken(name) })
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let url = URL(string: "https://host/\(["ada", "bob"][index % 2])")!
                    _ = try? await transports[index % 2].roundTrip(url: url)
                }
            }
        }
        #expect(server.asked.count == 20)
        #expect(
            Set(server.asked) == ["GET /ada Bearer ada", "GET /bob Bearer bob"])
    }

    @Test func theBodyOfAnAnswerStillStreams() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            .chunks([Data("a".utf8)], thenFailing: URLError(.timedOut))
        }
        gate.open()
        let response = try await stub.authenticating(with: source()).roundTrip(url: url) {
            $0.collect = nil
        }
        #expect(response.status == 200)
        await #expect(throws: URLError.self) { try await response.data() }
    }

    // RFC 7617, section 2.
    @Test func basicCredentialsAreSentToTheirOrigin() async throws {
        let server = Guarded()
        let transport = server.stub.standard()
            .authenticating(user: "Aladdin", password: "open sesame", for: url)
        #expect(try await transport.roundTrip(url: url).status == 401)
        #expect(try await transport.roundTrip(url: elsewhere).status == 401)
        #expect(server.asked == ["GET /a Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "GET /a -"])
    }

    @Test(arguments: [
        ("test", "123£", "dGVzdDoxMjPCow=="), ("", "", "Og=="), ("a", "b:c", "YTpiOmM="),
    ])
    func basicCredentialsAreUTF8(user: String, password: String, code: String) async throws {
        let server = Guarded()
        let transport = server.stub.authenticating(user: user, password: password, for: url)
        _ = try await transport.roundTrip(url: url)
        #expect(server.asked == ["GET /a Basic \(code)"])
    }

    @Test func aUserWithAColonIsRefused() async throws {
        let server = Guarded()
        let transport = server.stub.authenticating(user: "a:b", password: "s3cret", for: url)
        let error = await #expect(throws: InvalidRequest.self) {
            try await transport.roundTrip(url: url)
        }
        #expect(error?.description.contains("s3cret") == false)
        #expect(server.asked == [])
    }
}
