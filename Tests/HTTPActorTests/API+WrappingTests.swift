// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What a transport is made to do by its verbs, seen from the actor.
@Suite(.timeLimit(.minutes(5)))
struct APIWrappingTests {
    private var patient: RetryPolicy { RetryPolicy(attempts: 3, delay: 0) }

    @Test(arguments: stacks)
    func aTokenIsRefreshedAndAFormIsSentAgain(_ name: String) async throws {
        let server = try LoopbackServer { request in
            request.first("Authorization") == "Bearer new"
                ? .json(#"{"size": \#(request.body.count)}"#) : .json("{}", status: 401)
        }
        let source = TokenSource(for: server.url, startingWith: BearerToken("old")) { _ in
            BearerToken("new")
        }
        let api = API(transport: try stack(name).authenticating(with: source))
        var form = MultipartForm()
        form.field("title", "Summer")
        form.field("text", String(repeating: "x", count: 100_000))
        let answer: [String: Int] = try await api.upload(
            url: server.url("/photos").absoluteString, form: form, debug: false)
        #expect(answer["size"] == form.contentLength.map(Int.init))
        #expect(server.requests.map(\.body.count) == [answer["size"], answer["size"]])
        #expect(server.requests.map(\.bodyIsComplete) == [true, true])
    }

    // O-39 and O-40
    @Test(arguments: stacks)
    func aTransientFailureIsRepeatedWhole(_ name: String) async throws {
        let server = try LoopbackServer(script: [
            .respond(503, [("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]), .json(#"["ok"]"#),
        ])
        let api = API(transport: try stack(name).retrying(patient))
        let text: [String] = try await api.request(
            url: server.url("/").absoluteString, method: .post, body: jsonBody(["a": 1]),
            debug: false)
        #expect(text == ["ok"])
        #expect(server.requests.map(\.bodyText) == [#"{"a":1}"#, #"{"a":1}"#])
    }

    // O-41. URLSession on Linux has another code for it, which is not repeated.
    @Test(arguments: stacks)
    func aPOSTThatMayHaveArrivedIsNotRepeated(_ name: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.close]) }
        let api = API(transport: try stack(name).retrying(patient))
        await #expect(throws: URLError.self) {
            try await api.request(
                url: server.url("/").absoluteString, method: .post, body: jsonBody(["charge": 1]),
                debug: false)
        }
        #expect(server.requests.count == 1)
    }

    @Test func aGETThatWasLostIsRepeated() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.close]) }
        let api = API(transport: standardStack().retrying(patient))
        await #expect(throws: URLError.self) {
            try await api.request(url: server.url("/").absoluteString, method: .get, debug: false)
        }
        #expect(server.requests.count == 3)
    }

    // O-42
    @Test(arguments: stacks)
    func cancellingEndsTheWait(_ name: String) async throws {
        let server = try LoopbackServer { _ in .respond(503, [("Retry-After", "60")]) }
        let answered = Gate()
        let api = API(
            transport: try stack(name).logging { _ in answered.open() }.retrying(patient))
        let url = server.url("/").absoluteString
        let task = Task { try await api.request(url: url, method: .get, debug: false) }
        // Before that, a cancel would end the request.
        await answered.wait()
        let start = ProcessInfo.processInfo.systemUptime
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The wait itself is a minute.
        #expect(ProcessInfo.processInfo.systemUptime - start < 10)
        #expect(server.requests.count == 1)
    }

    // The call's own number counts, and the rest of the transport's policy.
    @Test func aCallWithPersistConnectionKeepsThePolicyOfItsTransport() async throws {
        let stub = StubTransport { _ in .status(418) }
        var policy = RetryPolicy(attempts: 2, delay: 60)
        policy.statuses = [418]
        let api = API(transport: stub.standard().retrying(policy))
        await api.setPersistConnectionDelay(0)
        await #expect(throws: HTTPStatusError.self) {
            try await api.request(
                url: "https://host/", method: .get, persistConnection: true, debug: false)
        }
        #expect(stub.requests.count == 1 + API.maxPersistRetries)
    }

    @Test(arguments: stacks)
    func theLogTakesTheLinesOfEachCall(_ name: String) async throws {
        let server = try LoopbackServer { _ in .json("1") }
        let lines = Locked<[String]>([])
        let api = API(
            transport: try stack(name).logging { line in lines.withLock { $0.append(line) } })
        for debug in [true, false] {
            let _: Int = try await api.request(
                url: server.url("/").absoluteString, method: .get, debug: debug)
        }
        #expect(lines.withLock { $0 }.map { $0.contains("→ 200, 1 bytes") } == [true, true])
    }

    @Test(arguments: stacks)
    func aLimitOfTheTransportIsOverEachCall(_ name: String) async throws {
        let server = try LoopbackServer { _ in .respond(503, [("Retry-After", "60")]) }
        let api = API(transport: try stack(name).retrying(patient).timingOut(after: 30))
        // The wait would pass the limit: the answer stands.
        await #expect(throws: HTTPStatusError.self) {
            try await api.request(url: server.url("/").absoluteString, method: .get, debug: false)
        }
        #expect(server.requests.count == 1)
    }

    @Test func aStubNeedsNoNetwork() async throws {
        let stub = StubTransport([
            "GET /users/7": .json(#"{"name": "Ada"}"#), "POST /users": .status(201),
        ])
        let api = API(transport: stub)
        let user: [String: String] = try await api.request(
            url: "https://host/users/{id}", method: .get, pathParams: ["id": "7"], debug: false)
        #expect(user == ["name": "Ada"])
        try await api.request(
            url: "https://host/users", method: .post, body: jsonBody(["name": "Bob"]), debug: false)
        #expect(stub.requests.count == 2)
        let error = await #expect(throws: URLError.self) {
            try await api.request(url: "https://host/todos", method: .get, debug: false)
        }
        #expect(error.map(userMessage(for:))?.contains("GET /todos") == true)
    }
}
