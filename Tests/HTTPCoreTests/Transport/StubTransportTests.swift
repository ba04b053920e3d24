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
struct StubTransportTests {
    private let root = URL(string: "https://host/")!

    private func url(_ reference: String) -> URL { root.appendingRelative(reference) }

    @Test(arguments: [
        ("GET", "users/7", 200), ("POST", "users", 201), ("GET", "users", 404), ("GET", "", 204),
        ("GET", "users/7?a=1", 200), ("GET", "search?q=c", 206), ("GET", "list/", 207),
        ("GET", "a%2Fb", 208),
    ])
    func aTableKnowsAnAnswerByMethodAndPath(method: String, path: String, status: Int) async throws
    {
        let stub = StubTransport([
            "GET /users/7": .json("{}"), "POST /users": .status(201), "GET /users": .status(404),
            "GET /": .status(204), "GET /search": .status(206),
            "GET /list/": .status(207), "GET /a%2Fb": .status(208), "GET /a/b": .status(500),
        ])
        let response = try await stub.roundTrip(HTTPMethod(rawValue: method), url(path))
        #expect(response.status == status)
        #expect(response.url == url(path))
    }

    @Test func whatHasNoAnswerIsNamed() async throws {
        let stub = StubTransport(["GET /users": .json("[]")])
        let error = await #expect(throws: URLError.self) {
            try await stub.roundTrip(.delete, url("users?token=s3cret"))
        }
        #expect(error?.localizedDescription.contains("DELETE /users") == true)
        #expect(error?.localizedDescription.contains("s3cret") == false)
    }

    @Test func jsonSaysWhatItIs() async throws {
        let stub = StubTransport { _ in .json(#"{"a": 1}"#, status: 422) }
        let response = try await stub.roundTrip(url: root)
        #expect(response.status == 422)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(try await response.data() == Data(#"{"a": 1}"#.utf8))
        #expect(response.metrics?.attempts == 1)
    }

    // A file, a stream and bytes are all read, as a terminal would.
    @Test func itRemembersWhatWasAskedWithItsBody() async throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("file", Data("file".utf8))
        let stub = StubTransport { request in
            guard case .data(let data) = request.body else { return .status(400) }
            return .status(200, body: data)
        }
        let bodies: [RequestBody] = [
            .data(Data("data".utf8)), .file(file), .stream(Chunks("str", "eam"), length: 6),
        ]
        for (body, text) in zip(bodies, ["data", "file", "stream"]) {
            let response = try await stub.roundTrip(.put, root, ["X-A": text], body: body)
            #expect(try await response.data() == Data(text.utf8))
            #expect(response.metrics?.bodyBytesSent == Int64(text.utf8.count))
        }
        let fields = stub.requests.map { $0.urlRequest.value(forHTTPHeaderField: "X-A") }
        #expect(fields == ["data", "file", "stream"])
    }

    @Test func whatCanNotBeSentIsRefused() async throws {
        let stub = StubTransport { _ in .status(200) }
        await #expect(throws: InvalidRequest.self) {
            try await stub.roundTrip(HTTPMethod(rawValue: "NO SPACE"), root)
        }
        await #expect(throws: URLError.self) {
            try await stub.roundTrip(.put, root, body: .file(URL(fileURLWithPath: "/nowhere")))
        }
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func aBodyComesInPiecesAndMayBreakOff(isCollected: Bool) async throws {
        let pieces = [Data("abc".utf8), Data("de".utf8)]
        let stub = StubTransport([
            "GET /whole": .chunks(pieces, headers: ["X-A": "1"]),
            "GET /cut": .chunks(pieces, thenFailing: URLError(.networkConnectionLost)),
        ])
        func get(_ path: String) async throws -> HTTPResponse {
            try await stub.roundTrip(url: url(path)) { if !isCollected { $0.collect = nil } }
        }
        // The second answer is as good as the first.
        for _ in 0..<2 {
            let whole = try await get("whole")
            #expect(whole.headers["x-a"] == "1")
            #expect(try await whole.data() == Data("abcde".utf8))
            if isCollected {
                await #expect(throws: URLError.self) { try await get("cut") }
                continue
            }
            let cut = try await get("cut")
            var received = Data()
            await #expect(throws: URLError.self) {
                for try await chunk in cut.body { received += chunk }
            }
            #expect(received == Data("abcde".utf8))
        }
    }

    @Test(arguments: [true, false])
    func metricsAreThereOnceTheBodyHasEnded(isCollected: Bool) async throws {
        let stub = StubTransport { _ in .chunks([Data("abc".utf8), Data("de".utf8)]) }
        let response = try await stub.roundTrip(.put, root, body: .data(Data("x".utf8))) {
            if !isCollected { $0.collect = nil }
        }
        #expect((response.metrics == nil) == !isCollected)
        #expect(try await response.data().count == 5)
        #expect(response.metrics?.bodyBytesReceived == 5)
        #expect(response.metrics?.bodyBytesSent == 1)
    }

    // So can the stream of a language model's tokens be tried.
    @Test func theNextPieceWaitsForWhatTheTestMoves() async throws {
        let clock = TestClock()
        let stub = StubTransport { _ in
            .chunks([Data("a".utf8), Data("b".utf8)], pausing: { try await clock.sleep(1) })
        }
        let response = try await stub.roundTrip(url: root) { $0.collect = nil }
        let text = Task { String(decoding: try await response.data(), as: UTF8.self) }
        for _ in 0..<3 {
            #expect(response.metrics == nil)
            #expect(await clock.waitForSleeper(of: 1))
            clock.move(by: 1)
        }
        #expect(try await text.value == "ab")
    }

    /// A request that tells how far it was sent.
    private func upload(_ tell: @escaping @Sendable (Double?) -> Void) -> HTTPRequest {
        var request = HTTPRequest(
            URLRequest(method: .post, url: root), body: .stream(Chunks("a", "b")))
        request.onUploadProgress = { tell($0.fraction) }
        return request
    }

    @Test func progressComesToItsEndBeforeTheAnswer() async throws {
        let seen = Locked<[Double?]>([])
        let transport = StubTransport { _ in .status(204) }.standard()
        _ = try await transport.send(upload { part in seen.withLock { $0.append(part) } })
        #expect(seen.withLock { $0 }.last == 1)
    }

    @Test func nothingIsSentWhereThereIsNoAnswer() async throws {
        let seen = Locked<[Double?]>([])
        let stub = StubTransport { _ in .failure(URLError(.notConnectedToInternet)) }
        await #expect(throws: URLError.self) {
            try await stub.send(upload { part in seen.withLock { $0.append(part) } })
        }
        #expect(seen.withLock { $0 } == [])
    }

    @Test func cancellingEndsTheReading() async throws {
        let stub = StubTransport { _ in .chunks([Data("a".utf8), Data("b".utf8)]) }
        let response = try await stub.roundTrip(url: root) { $0.collect = nil }
        let gate = Gate()
        let reader = Task {
            await gate.wait()
            return try await response.data()
        }
        reader.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func aLimitOfTheCollectedBodyIsKept() async throws {
        let stub = StubTransport { _ in .status(200, body: Data("abc".utf8)) }
        let error = await #expect(throws: ResponseBodyError.self) {
            try await stub.roundTrip(url: root) { $0.collect = 2 }
        }
        #expect(error?.kind == .tooLarge(limit: 2))
    }

    /// A request whose answer waits until the clock is moved by three seconds.
    private func waiting() async -> (TestClock, StubTransport, Task<Int, any Error>) {
        let clock = TestClock()
        let stub = StubTransport { _ in
            try await clock.sleep(3)
            return .json("1")
        }
        let task = Task { [root] in try await stub.roundTrip(url: root).status }
        #expect(await clock.waitForSleeper(of: 3))
        return (clock, stub, task)
    }

    // The clock of a test stands in for a slow server.
    @Test func anAnswerWaitsForWhatTheTestMoves() async throws {
        let (clock, stub, task) = await waiting()
        #expect(stub.requests.count == 1)
        clock.move(by: 3)
        #expect(try await task.value == 200)
    }

    @Test func cancellingEndsAnAnswerThatWaits() async throws {
        let (_, stub, task) = await waiting()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let late = Task { [root] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stub.roundTrip(url: root).status
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(stub.requests.count == 1)
    }

    // Redirects, cookies and repeats above it are the real ones.
    @Test func aStackAroundItIsTheRealOne() async throws {
        let stub = StubTransport([
            "GET /r": .status(302, headers: ["Location": "/x", "Set-Cookie": "a=1"]),
            "GET /x": .json("1"),
        ])
        let response = try await stub.standard().roundTrip(url: url("r"))
        #expect(response.url == url("x"))
        #expect(stub.requests.last?.urlRequest.value(forHTTPHeaderField: "Cookie") == "a=1")
    }
}
