// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct RedirectTransportTests {
    private let stack = standardStack()

    /// A server that redirects `/r` and answers everything else with `ok`.
    private func server(_ status: Int, to location: String?) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.path == "/r" else { return .text("ok") }
            return .respond(status, location.map { [("Location", $0)] } ?? [], body: "moved")
        }
    }

    // O-33
    @Test(arguments: [301, 302, 303])
    func aPostThatBecomesGetDropsItsBodyAndTheBodysHeaders(status: Int) async throws {
        let server = try server(status, to: "/echo")
        let headers = [
            "Content-Type": "text/plain", "Content-Encoding": "identity",
            "Content-Language": "en", "X-Trace": "1",
        ]
        let response = try await stack.roundTrip(
            .post,
            server.url("/r"),
            headers,
            body: .data(Data("hello".utf8))
        )
        #expect(response.status == 200)
        #expect(response.url == server.url("/echo"))
        let requests = server.requests
        try #require(requests.count == 2)
        #expect(requests[0].bodyText == "hello")
        #expect(requests[0].values("Content-Type") == ["text/plain"])
        #expect(requests[1].method == "GET")
        #expect(requests[1].target == "/echo")
        #expect(requests[1].body.isEmpty)
        let bodyHeaders = requests[1].fields.map { $0.name.lowercased() }.filter {
            $0.hasPrefix("content-") || $0 == "transfer-encoding"
        }
        #expect(bodyHeaders == [])
        #expect(requests[1].values("X-Trace") == ["1"])
    }

    // O-34
    @Test(arguments: [307, 308], [false, true])
    func aPostThatIsRepeatedKeepsItsBodyAlsoAcrossOrigins(
        status: Int,
        leavesOrigin: Bool
    ) async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try server(
            status,
            to: leavesOrigin ? other.url("/echo").absoluteString : "/echo"
        )
        let response = try await stack.roundTrip(
            .post,
            server.url("/r"),
            ["Content-Type": "text/plain"],
            body: .data(Data("hello".utf8))
        )
        #expect(
            try await String(decoding: response.data(), as: UTF8.self)
                == (leavesOrigin ? "other" : "ok")
        )
        let repeated = try #require(leavesOrigin ? other.requests.first : server.requests.last)
        #expect(repeated.method == "POST")
        #expect(repeated.target == "/echo")
        #expect(repeated.bodyText == "hello")
        #expect(repeated.values("Content-Type") == ["text/plain"])
        #expect(server.requests.count == (leavesOrigin ? 1 : 2))
    }

    @Test func aStreamedBodyIsReadFromItsStartAgain() async throws {
        let server = try server(307, to: "/echo")
        _ = try await stack.roundTrip(
            .put,
            server.url("/r"),
            body: .stream(Chunks("one,", "two"))
        )
        #expect(server.requests.map(\.bodyText) == ["one,two", "one,two"])
    }

    // O-40 asks the same of a retry.
    @Test func aBodyThatCanNotBeReadAgainIsAnErrorAndNeverAnEmptyBody() async throws {
        let server = try server(308, to: "/echo")
        var urlRequest = URLRequest(method: .post, url: server.url("/r"))
        urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        let request = HTTPRequest(urlRequest)
        let error = await #expect(throws: URLError.self) { try await stack.send(request) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(error?.requestMayHaveArrived == true)
        let complete = server.requests.filter(\.bodyIsComplete).map(\.bodyText)
        #expect(complete == ["once"])
    }

    // O-35
    @Test func credentialsStayBehindWhereTheOriginChanges() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try server(302, to: other.url("/x").absoluteString)
        let headers = [
            "Authorization": "Bearer t", "Cookie": "own=1", "Proxy-Authorization": "Basic x",
            "X-House-Key": "k", "X-Trace": "1",
        ]
        _ = try await stack.roundTrip(.get, server.url("/r"), headers) {
            $0.secretHeaders = ["x-house-KEY"]
        }
        let first = try #require(server.requests.first)
        for (name, value) in headers { #expect(first.values(name) == [value]) }
        let second = try #require(other.requests.first)
        for name in headers.keys where name != "X-Trace" { #expect(second.values(name) == []) }
        #expect(second.values("X-Trace") == ["1"])
        #expect(second.values("Host") == ["127.0.0.1:\(other.port)"])
    }

    // O-35: the second run, within the origin.
    @Test func credentialsStayWithinTheOrigin() async throws {
        let server = try server(302, to: "/x")
        let headers = [
            "Authorization": "Bearer t", "Cookie": "own=1", "X-House-Key": "k", "X-Trace": "1",
        ]
        _ = try await stack.roundTrip(.get, server.url("/r"), headers) {
            $0.secretHeaders = ["X-House-Key"]
        }
        try #require(server.requests.count == 2)
        for (name, value) in headers { #expect(server.requests[1].values(name) == [value]) }
    }

    @Test(arguments: [(301, HTTPMethod.put), (302, .put), (301, .delete), (302, .delete)])
    func a301Or302RepeatsWhatIsNoPost(status: Int, method: HTTPMethod) async throws {
        let server = try server(status, to: "/echo")
        _ = try await stack.roundTrip(
            method,
            server.url("/r"),
            ["Content-Type": "text/plain"],
            body: .data(Data("hello".utf8))
        )
        #expect(server.requests.map(\.method) == [method.rawValue, method.rawValue])
        #expect(server.requests.map(\.bodyText) == ["hello", "hello"])
        #expect(
            server.requests.map { $0.values("Content-Type") } == [["text/plain"], ["text/plain"]]
        )
    }

    @Test func a303TurnsPutIntoGet() async throws {
        let server = try server(303, to: "/echo")
        _ = try await stack.roundTrip(
            .put,
            server.url("/r"),
            ["Content-Type": "text/plain"],
            body: .data(Data("hello".utf8))
        )
        #expect(server.requests.map(\.method) == ["PUT", "GET"])
        #expect(server.requests.last?.body.isEmpty == true)
        #expect(server.requests.last?.values("Content-Type") == [])
    }

    @Test func a303LeavesHeadAsItIs() async throws {
        let server = try LoopbackServer { request in
            request.path == "/r" ? .bodiless(303, [("Location", "/echo")]) : .bodiless()
        }
        _ = try await stack.roundTrip(.head, server.url("/r"))
        #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    // RFC 3986, section 5.2, seen from /a/b/c?q=1.
    @Test(arguments: [
        ("d", "/a/b/d"), ("../d", "/a/d"), ("/d?x=1", "/d?x=1"), ("?x=2", "/a/b/c?x=2"),
        ("./d/", "/a/b/d/"), ("d%2Fe", "/a/b/d%2Fe"),
    ])
    func aRelativeLocationIsSeenFromTheCurrentURL(location: String, target: String) async throws {
        let server = try LoopbackServer { request in
            request.target == "/a/b/c?q=1"
                ? .respond(302, [("Location", location)]) : .text("ok")
        }
        let response = try await stack.roundTrip(.get, server.url("/a/b/c?q=1"))
        #expect(response.status == 200)
        #expect(server.requests.last?.target == target)
        #expect(response.url == server.url(target))
    }

    // Not legal in a URI, and common in the wild: the bytes are percent-encoded.
    @Test(arguments: [("/a b", "/a%20b"), ("/é?q=ü", "/%C3%A9?q=%C3%BC"), ("/%C3%A9", "/%C3%A9")])
    func aLocationThatIsNotEncodedIsEncodedOnce(location: String, target: String) async throws {
        let server = try server(302, to: location)
        #expect(try await stack.roundTrip(.get, server.url("/r")).status == 200)
        #expect(server.requests.last?.target == target)
    }

    @Test func aLocationThatIsNoURLLeavesTheAnswerAsItIs() async throws {
        let server = try server(302, to: "http://[bad")
        #expect(try await stack.roundTrip(.get, server.url("/r")).status == 302)
        #expect(server.requests.count == 1)
    }

    @Test func theFragmentIsKeptOverRedirectsAndNeverSent() async throws {
        let server = try server(302, to: "/x?y=1")
        let response = try await stack.roundTrip(.get, server.url("/r#part%202"))
        #expect(response.url.absoluteString == server.url("/x?y=1#part%202").absoluteString)
        #expect(server.requests.map(\.target) == ["/r", "/x?y=1"])
    }

    @Test func twentyRedirectsAreFollowedAndNoneMore() async throws {
        let server = try LoopbackServer { request in
            let hop = Int(request.path.dropFirst()) ?? 0
            return hop == 0 ? .text("ok") : .respond(302, [("Location", "/\(hop - 1)")])
        }
        let response = try await stack.roundTrip(.get, server.url("/20"))
        #expect(response.status == 200)
        #expect(server.requests.count == 21)
        let error = await #expect(throws: URLError.self) {
            try await stack.roundTrip(.get, server.url("/21"))
        }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(error?.requestMayHaveArrived == true)
        #expect(server.requests.count == 42)
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/hostname", "data:,x", "about:blank"])
    func aSchemeOtherThanHTTPIsRefused(location: String) async throws {
        let server = try server(302, to: location)
        let error = await #expect(throws: URLError.self) {
            try await stack.roundTrip(.get, server.url("/r"))
        }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.requestMayHaveArrived == true)
        #expect(server.requests.count == 1)
    }

    // It was sent, so `InvalidRequest`, which promises the opposite, would be wrong.
    @Test func aLocationWithoutAHostIsAnErrorOfTheServers() async throws {
        let server = try server(302, to: "http:///x")
        let error = await #expect(throws: URLError.self) {
            try await stack.roundTrip(.get, server.url("/r"))
        }
        #expect(error?.requestMayHaveArrived == true)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectWithoutLocationIsTheAnswer(status: Int) async throws {
        let server = try server(status, to: nil)
        let response = try await stack.roundTrip(.get, server.url("/r"))
        #expect(response.status == status)
        #expect(try await response.data() == Data("moved".utf8))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [300, 304, 305])
    func otherStatusesOfTheirClassAreNotFollowed(status: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status, [("Location", "/x")]) }
        #expect(try await stack.roundTrip(.get, server.url("/r")).status == status)
        #expect(server.requests.count == 1)
    }

    @Test func anErrorAfterAHopSaysThatTheRequestMayHaveArrived() async throws {
        let refusing = "http://127.0.0.1:\(try LoopbackServer.closedPort())/x"
        let server = try server(307, to: refusing)
        let direct = await #expect(throws: URLError.self) {
            try await stack.roundTrip(.post, URL(string: refusing)!)
        }
        #expect(direct?.code == .cannotConnectToHost)
        #expect(direct?.requestMayHaveArrived == false)
        let hopped = await #expect(throws: URLError.self) {
            try await stack.roundTrip(.post, server.url("/r"))
        }
        #expect(hopped?.code == .cannotConnectToHost)
        #expect(hopped?.requestMayHaveArrived == true)
    }

    // Retry repeats one hop: a POST that was answered by a redirect is never sent again.
    @Test func aRetryAfterARedirectRepeatsTheLastHopAlone() async throws {
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(303, [("Location", "/x")])
                : .respond(503, [("Retry-After", "0")], body: "later")
        }
        let response = try await stack.roundTrip(
            .post,
            server.url("/r"),
            body: .data(Data("order".utf8))
        ) {
            $0.attempts = 3
        }
        #expect(response.status == 503)
        #expect(server.requests.map(\.method) == ["POST", "GET", "GET", "GET"])
    }
}
