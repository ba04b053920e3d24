// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

/// What a transport is made to do by its verbs, seen from an endpoint.
@Suite(.timeLimit(.minutes(5)))
struct EndpointWrappingTests {
    private let todo = Todo(id: 1, title: "one")
    private let json = #"{"id":1,"title":"one"}"#

    private var patient: RetryPolicy { RetryPolicy(attempts: 3, delay: 0) }

    @Test(arguments: stacks)
    func aTokenIsRefreshedOnceForAllThatLoad(_ name: String) async throws {
        let server = try LoopbackServer { [json] request in
            request.first("Authorization") == "Bearer new" ? .json(json) : .json("{}", status: 401)
        }
        let (gate, count) = (Gate(), Locked(0))
        let source = TokenSource(for: server.url, startingWith: BearerToken("old")) { _ in
            count.withLock { $0 += 1 }
            await gate.wait()
            return BearerToken("new")
        }
        let transport = try stack(name).authenticating(with: source)
        let endpoint = Endpoint<Todo>.json(server.url("/1"))
        try await withThrowingTaskGroup(of: Todo.self) { group in
            for _ in 0..<10 { group.addTask { try await endpoint.load(on: transport) } }
            #expect(await server.waitForRequests(10))
            gate.open()
            for try await todo in group { #expect(todo == self.todo) }
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func aRefreshThatFailsIsTheFailureOfTheLoad() async throws {
        struct LoggedOut: Error {}
        let stub = StubTransport { _ in .status(401) }
        let source = TokenSource(
            for: try #require(URL(string: "https://host")), startingWith: BearerToken("old")
        ) { _ in throw LoggedOut() }
        let endpoint = Endpoint<Todo>.json(try #require(URL(string: "https://host/1")))
        await #expect(throws: LoggedOut.self) {
            try await endpoint.load(on: stub.standard().authenticating(with: source))
        }
    }

    // O-39 and O-41
    @Test func aTransientFailureIsRepeated() async throws {
        let server = try LoopbackServer(script: [
            LoopbackServer.Answer([.close]),
            .respond(503, [("Retry-After", "Sunday, 06-Nov-94 08:49:37 GMT")]), .json(json),
        ])
        let transport = standardStack().retrying(patient)
        #expect(try await Endpoint<Todo>.json(server.url("/1")).load(on: transport) == todo)
        #expect(server.requests.count == 3)
    }

    // O-42
    @Test(arguments: stacks)
    func cancellingEndsTheWait(_ name: String) async throws {
        let server = try LoopbackServer { _ in .respond(503, [("Retry-After", "60")]) }
        let answered = Gate()
        let transport = try stack(name).logging { _ in answered.open() }.retrying(patient)
        let endpoint = Endpoint<Todo>.json(server.url("/1"))
        let task = Task { try await endpoint.load(on: transport) }
        // Before that, a cancel would end the request.
        await answered.wait()
        let start = ProcessInfo.processInfo.systemUptime
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The wait itself is a minute.
        #expect(ProcessInfo.processInfo.systemUptime - start < 10)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: stacks)
    func basicCredentialsGoToTheirOriginAlone(_ name: String) async throws {
        let (server, other) = (
            try LoopbackServer { [json] _ in .json(json) },
            try LoopbackServer { [json] _ in .json(json) }
        )
        let transport = try stack(name)
            .authenticating(user: "ada", password: "s3cret", for: server.url)
        for server in [server, other] {
            #expect(try await Endpoint<Todo>.json(server.url("/1")).load(on: transport) == todo)
        }
        let code = Data("ada:s3cret".utf8).base64EncodedString()
        #expect(server.requests.map { $0.first("Authorization") } == ["Basic \(code)"])
        #expect(other.requests.map { $0.first("Authorization") } == [nil])
    }

    @Test(arguments: stacks)
    func theLogTakesALineOfEachLoad(_ name: String) async throws {
        let server = try LoopbackServer { [json] _ in .json(json) }
        let lines = Locked<[String]>([])
        let transport = try stack(name).logging { line in lines.withLock { $0.append(line) } }
        _ = try await Endpoint<Todo>.json(server.url("/1?token=s3cret")).load(on: transport)
        let line = "GET \(server.url("/1"))?token=••• → 200, \(json.utf8.count) bytes, "
        #expect(lines.withLock { $0 }.map { $0.hasPrefix(line) } == [true])
    }

    @Test(arguments: stacks)
    func aLimitOfTheTransportIsOverEachLoad(_ name: String) async throws {
        let server = try LoopbackServer { _ in .respond(503, [("Retry-After", "60")]) }
        let transport = try stack(name).retrying(patient).timingOut(after: 30)
        // The wait would pass the limit: the answer stands.
        await #expect(throws: HTTPStatusError.self) {
            try await Endpoint<Todo>.json(server.url("/1")).load(on: transport)
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: stacks)
    func metricsSayWhatALoadCost(_ name: String) async throws {
        let server = try LoopbackServer(script: [.respond(503), .json(json)])
        let transport = try stack(name).retrying(patient)
        let response = try await Endpoint<Todo>.json(server.url("/1")).stream(on: transport)
        _ = try await response.data()
        let metrics = try #require(response.metrics)
        #expect(metrics.attempts == 2)
        #expect(metrics.bodyBytesReceived == Int64(json.utf8.count))
        #expect(metrics.total > 0)
    }

    @Test func aStubNeedsNoNetwork() async throws {
        let stub = StubTransport([
            "GET /1": .json(json), "GET /2": .json("{}", status: 404),
            "GET /3": .failure(URLError(.notConnectedToInternet)),
        ])
        let root = try #require(URL(string: "https://host/"))
        func load(_ path: String) async throws -> Todo {
            try await Endpoint<Todo>.json(root.appendingRelative(path)).load(on: stub.standard())
        }
        #expect(try await load("1") == todo)
        let status = await #expect(throws: HTTPStatusError.self) { try await load("2") }
        #expect(status?.status == 404)
        let offline = await #expect(throws: URLError.self) { try await load("3") }
        #expect(offline?.code == .notConnectedToInternet)
    }
}
