// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// HTTP/2 with a real nginx.
@Suite(.needsNginx, .timeLimit(.minutes(5)))
struct HTTP2Tests {
    private let transport: CurlTransport

    init() throws {
        transport = CurlTransport(trust: try .testRoot)
    }

    @Test(arguments: [(true, "HTTP/2"), (false, "HTTP/1.1")])
    func theVersionIsTheBestThatTheServerHas(http2: Bool, version: String) async throws {
        let server = try NginxServer(.init(speaksHTTP2: http2))
        let response = try await transport.send(.get(server.url()))
        _ = try await response.data()
        #expect(response.metrics?.httpVersion == version)
    }

    @Test(arguments: [HTTPMethod.get, .post, .patch])
    func fiftyRequestsAtOnceShareOneConnection(method: HTTPMethod) async throws {
        // Each waits at the gate until all have come.
        let gate = Gate()
        let backend = try LoopbackServer { _ in .init([.wait(gate), .text(Self.ok)]) }
        let server = try NginxServer(.passing(to: backend))
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let response = try await transport.send(
                        .make(method, server.url("/\(number)")))
                    #expect(try await response.data() == Data("ok".utf8))
                    #expect(response.metrics?.httpVersion == "HTTP/2")
                }
            }
            #expect(await backend.waitForRequests(50))
            gate.open()
            try await group.waitForAll()
        }
        let seen = try await server.exchanges(50)
        #expect(Set(seen.map(\.target)).count == 50)
        #expect(Set(seen.map(\.connection)).count == 1)
    }

    /// Bodies of several streams, each with its own pace, up and down.
    @Test func streamsCarryBodiesBothWays() async throws {
        let backend = try LoopbackServer { .respond(body: $0.body) }
        let server = try NginxServer(
            .passing(to: backend, "client_max_body_size 0; proxy_request_buffering off;"))
        let body = pattern(3_000_000)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let request = HTTPRequest.make(.post, server.url("/echo"), .data(body))
                    let response = try await transport.send(request)
                    #expect(try await response.data() == body)
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await server.exchanges(8).map(\.connection)).count == 1)
    }

    @Test func cancellingAStreamLeavesTheOthers() async throws {
        let gate = Gate()
        let backend = try LoopbackServer { _ in
            .init([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), .wait(gate), .text("two"),
            ])
        }
        let server = try NginxServer(.passing(to: backend))
        let readers = (0..<5).map { number in
            Task {
                let response = try await transport.send(.get(server.url("/\(number)")))
                return try await response.data()
            }
        }
        #expect(await backend.waitForRequests(5))
        for number in [1, 3] {
            readers[number].cancel()
            await #expect(throws: CancellationError.self) { try await readers[number].value }
        }
        gate.open()
        for number in [0, 2, 4] {
            #expect(try await readers[number].value == Data("onetwo".utf8))
        }
        // The connection is still good, and the one.
        let response = try await transport.send(.get(server.url("/5")))
        #expect(try await response.data() == Data("onetwo".utf8))
        #expect(response.metrics?.reusedConnection == true)
        #expect(Set(try await server.exchanges(6).map(\.connection)).count == 1)
    }

    /// nginx says GOAWAY after so many requests; those that it has not looked at go over a new connection.
    @Test(arguments: [HTTPMethod.get, .put])
    func aServerThatEndsItsConnectionsLosesNoRequest(_ method: HTTPMethod) async throws {
        let server = try NginxServer(.init(directives: "keepalive_requests 100;"))
        let body = method == .put ? RequestBody.data(pattern(1_000)) : nil
        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let request = HTTPRequest.make(method, server.url("/\(number)"), body)
                    let response = try await transport.send(request)
                    #expect(response.status == 200)
                    _ = try await response.data()
                }
            }
            try await group.waitForAll()
        }
        let seen = try await server.exchanges(300)
        #expect(seen.count == 300)
        #expect(Set(seen.map(\.target)).count == 300)
        #expect(seen.allSatisfy { $0.number <= 100 })
    }

    /// libcurl doesn't say whether the server has looked at it, so what can't be repeated fails.
    @Test func aServerThatEndsItsConnectionsGetsNoPostTwice() async throws {
        let server = try NginxServer(.init(directives: "keepalive_requests 100;"))
        let outcomes = await withTaskGroup { group in
            for number in 0..<300 {
                let body = RequestBody.data(pattern(1_000))
                let request = HTTPRequest.make(.post, server.url("/\(number)"), body)
                group.addTask { await transport.outcome(request) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for case let error? in outcomes.map(\.urlError) {
            #expect(error.code == .networkConnectionLost)
        }
        let answered = outcomes.count { $0.status == 200 }
        #expect(answered >= 100)
        let seen = try await server.exchanges(answered)
        #expect(Set(seen.map(\.target)).count == seen.count)
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
}
#endif
