// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

/// The head of a request, as the server sees it.
@Suite(.timeLimit(.minutes(5)))
struct RequestHeadTests {
    /// What a transport may add of its own; `Content-Type` only as `octet-stream`, with a body.
    private static let own: Set<String> = [
        "host", "accept", "accept-encoding", "accept-language", "user-agent", "connection",
    ]

    private static let requests: [(HTTPMethod, RequestBody?, [(String, String)])] = [
        (.get, nil, []),
        (.post, .data(Data("abc".utf8)), [("content-length", "3"), ("content-type", "a/b")]),
        (.put, .data(Data("abcd".utf8)), [("content-length", "4"), ("content-type", "a/b")]),
        (.patch, .data(Data("ab".utf8)), [("content-length", "2"), ("content-type", "a/b")]),
        (.delete, .data(Data("a".utf8)), [("content-length", "1"), ("content-type", "a/b")]),
        (
            HTTPMethod(rawValue: "REPORT"), .data(Data("x".utf8)),
            [
                ("content-length", "1"), ("content-type", "a/b"),
            ]
        ),
    ]

    @Test(arguments: Subject.all, requests.indices)
    func headSaysWhatWasAskedAndNoMore(_ subject: Subject, index: Int) async throws {
        let (method, body, expected) = Self.requests[index]
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.make(method, server.url("/a/b?c=d"), body) {
            $0.set("X-One", "one")
            if body != nil { $0.set("Content-Type", "a/b") }
        }
        #expect(await subject.transport().outcome(request).status == 200)
        let seen = try #require(server.requests.first)
        #expect(seen.headText.hasPrefix("\(method) /a/b?c=d HTTP/1.1\r\n"))
        #expect(seen.values("Host") == ["127.0.0.1:\(server.port)"])
        #expect(seen.values("X-One") == ["one"])
        let names = seen.fields.map { $0.name.lowercased() }
        #expect(Set(names).count == names.count, "\(names)")
        let given = seen.fields.filter {
            !Self.own.contains($0.name.lowercased()) && $0.name != "X-One"
        }
        .map { "\($0.name.lowercased()): \($0.value)" }
        #expect(Set(given) == Set(expected.map { "\($0.0): \($0.1)" }))
        if case .data(let data) = body { #expect(seen.body == data) }
    }

    /// O-07: nobody said that the body is a form.
    @Test(arguments: Subject.all)
    func noFormTypeIsInvented(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        for method in [HTTPMethod.post, .put, .patch] {
            for body in [RequestBody.data(Data(#"{"a":1}"#.utf8)), .data(Data()), .empty] {
                _ = await transport.outcome(.make(method, server.url("/"), body))
            }
        }
        #expect(server.requests.count == 9)
        for request in server.requests {
            let types = request.values("Content-Type")
            #expect(types.isEmpty || types == ["application/octet-stream"])
        }
    }

    /// O-08: a method that may carry content says so when there is none.
    @Test(arguments: Subject.all)
    func emptyBodiesHaveALengthWhereTheMethodMayCarryOne(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let all: [HTTPMethod] = [.post, .put, .patch, .get, .head, .delete, .options]
        for method in all {
            let request = HTTPRequest.make(method, server.url("/"))
            #expect(await transport.outcome(request).status == 200)
        }
        #expect(server.requests.map(\.method) == all.map(\.rawValue))
        #expect(
            server.requests.prefix(3).map { $0.values("Content-Length") } == [["0"], ["0"], ["0"]])
        let lengths = server.requests.map { $0.first("Content-Length") }
        #expect(lengths[3...4] == [nil, nil])
        try await subject.expect(.noLengthWithoutBody) {
            #expect(lengths[5...] == [nil, nil])
        }
        #expect(!server.requests.contains { $0.first("Transfer-Encoding") != nil })
    }

    @Test(
        arguments: Subject.all,
        [
            "/%2e%2e/x", "//a//b", "/a/%2E/b", "/p?", "/p?a=b?c", "/a%2Fb", "/%c3%A9",
            "/a?x=%2B+1&y=", "/a;b=c/d,e", "/a:b@c", "/?q", "/~a'(b)!*$",
        ])
    func targetIsSentAsGiven(_ subject: Subject, target: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        #expect(try await subject.transport().text(server.url(target)) == "ok")
        #expect(server.requests.map(\.target) == [target])
    }

    @Test(arguments: Subject.all)
    func dotSegmentsAreSentAsGiven(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let targets = ["/a/../b", "/./a", "/..", "/a/."]
        for target in targets { _ = try await transport.text(server.url(target)) }
        try await subject.expect(.dotSegments) {
            #expect(server.requests.map(\.target) == targets)
        }
    }

    @Test(arguments: Subject.all)
    func fragmentStaysHereAndAnEmptyPathIsASlash(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        for target in ["", "?a=b", "/c#d", "/e?f#g?h"] {
            #expect(try await transport.text(server.url(target)) == "ok")
        }
        #expect(server.requests.map(\.target) == ["/", "/?a=b", "/c", "/e?f"])
    }

    @Test(arguments: Subject.all)
    func valuesAreSentAsGiven(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let values = [
            "X-Empty": "", "X-Utf8": "caf\u{E9} 名", "X-Colon": "a: b", "X-Quote": #""a\"b""#,
            "X-Inner": "a  b", "Accept": "text/csv", "User-Agent": "Me/1.0",
            "X-Long": String(repeating: "v", count: 8_000), "Accept-Encoding": "identity",
        ]
        let request = HTTPRequest.get(server.url("/")) {
            for (name, value) in values { $0.set(name, value) }
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        let seen = try #require(server.requests.first)
        for (name, value) in values { #expect(seen.values(name) == [value], "\(name)") }
    }

    /// The body's length is the transport's business, whatever the request says.
    @Test(arguments: Subject.all)
    func framingOfTheCallerIsLeftOut(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.make(.post, server.url("/"), .data(Data("abc".utf8))) {
            $0.set("Content-Length", "99")
            $0.set("Transfer-Encoding", "chunked")
        }
        #expect(await subject.transport().outcome(request).status == 200)
        let seen = try #require(server.requests.first)
        #expect(seen.values("Content-Length") == ["3"])
        #expect(seen.values("Transfer-Encoding").isEmpty)
        #expect(seen.bodyText == "abc")
    }

    @Test(arguments: Subject.all)
    func ipv6HostIsReached(_ subject: Subject) async throws {
        let server = try LoopbackServer(ipv6: true) { _ in .text("ok") }
        try await subject.expect(.ipv6Literal) {
            let text = try await subject.transport().text(server.url("/"))
            #expect(text == "ok")
            #expect(server.requests.first?.first("Host") == "[::1]:\(server.port)")
        }
    }
}
