// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"

    /// O-44: a task that is cancelled already sends nothing.
    @Test(arguments: Subject.all)
    func cancelledTaskSendsNothing(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let request = HTTPRequest.make(.post, server.url("/"), .data(Data("a".utf8)))
        for number in 0..<200 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await transport.outcome(request, number % 2 == 0 ? .collected : .streamed)
            }
            #expect(await task.value.error is CancellationError)
        }
        #expect(server.acceptCount == 0)
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func waitForTheHeadEnds(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { request in
            request.path == "/next" ? .text("next") : LoopbackServer.Answer([.hold])
        }
        let transport = subject.transport()
        let task = Task { await transport.outcome(.get(server.url("/")), reading) }
        #expect(await server.waitForRequests(1))
        task.cancel()
        let outcome = await task.value
        #expect(outcome.error is CancellationError, "\(outcome)")
        #expect(outcome.failedInSend)
        #expect(await server.waitForOpenConnections(0))
        #expect(try await transport.text(server.url("/next")) == "next")
    }

    @Test(arguments: Subject.all, Reading.allCases)
    func bodyEnds(_ subject: Subject, reading: Reading) async throws {
        let server = try LoopbackServer { request in
            request.path == "/next"
                ? .text("next") : LoopbackServer.Answer([.text(Self.head + "12345"), .hold])
        }
        let transport = subject.transport()
        let task = Task { await transport.outcome(.get(server.url("/")), reading) }
        #expect(await server.waitForBytesSent(Self.head.utf8.count + 5))
        // Another exchange: what was sent before it has been read by then, or soon will be.
        #expect(try await transport.text(server.url("/next")) == "next")
        task.cancel()
        #expect(await task.value.error is CancellationError)
        #expect(await server.waitForOpenConnections(1))
        #expect(try await transport.text(server.url("/next")) == "next")
    }

    /// Once the head has come, it is the body that throws.
    @Test(arguments: Subject.all)
    func readingInACancelledTaskThrows(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([.text(Self.head + "12345"), .hold])
        }
        let transport = subject.transport()
        let task = Task {
            let response = try await transport.send(.get(server.url("/")))
            withUnsafeCurrentTask { $0?.cancel() }
            return try await response.data()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await server.waitForOpenConnections(0))
    }

    @Test(arguments: Subject.all)
    func uploadStreamEnds(_ subject: Subject) async throws {
        let server = try LoopbackServer(script: [.text("ok")])
        let transport = subject.transport()
        let (gate, ended) = (Gate(), Gate())
        let pieces = [Data("one".utf8), Data("two".utf8)]
        let body = RequestBody.stream(Chunks(pieces, gate: gate, ended: ended))
        let request = HTTPRequest.make(.post, server.url("/"), body)
        let task = Task { await transport.outcome(request) }
        try await subject.expect(.chunkedUpload) {
            let hasStarted = await server.waitForBytes(100, timeout: 2)
            #expect(hasStarted)
        }
        task.cancel()
        let outcome = await task.value
        #expect(outcome.error is CancellationError, "\(outcome)")
        // The maker of the body is told, too.
        #expect(try await within { await ended.wait() } != nil)
        #expect(await server.waitForOpenConnections(0))
        #expect(server.requests.isEmpty)
        gate.open()
    }

    @Test(arguments: Subject.all)
    func cancellingAfterTheEndChangesNothing(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let done = Gate()
        let task = Task {
            let outcome = await transport.outcome(.get(server.url("/")))
            done.open()
            return outcome
        }
        await done.wait()
        task.cancel()
        #expect(await task.value.text == "ok")
        #expect(try await transport.text(server.url("/")) == "ok")
        #expect(server.acceptCount == 1)
    }

    #if os(Linux)
    /// Foundation's URLSession ends the process here now and then, when a cancel meets the end of its task
    /// (Docs/Transports.md).
    private static let racing = Subject.all.filter { $0.terminal.name == "curl" }
    #else
    private static let racing = Subject.all
    #endif

    /// O-43: whatever wins, there is one result.
    ///
    /// Two would end the process, none the test.
    @Test(arguments: racing)
    func everyRaceHasOneResult(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer(
                [.pause(.random(in: 0...0.003))] + LoopbackServer.Answer.text("ok").steps)
        }
        let transport = subject.transport()
        let results = Recorder<String>()
        let url = try #require(URL(string: "nowhere"))
        // A race without a result never ends: how long 500 of them take is the machine's business.
        let ended: Void? = try await within(240) {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<500 {
                    if number >= 25 { await group.next() }
                    group.addTask {
                        let isValid = number % 25 != 0
                        let reading = Reading.allCases[number % 2]
                        let task = Task {
                            await transport.outcome(
                                .get(isValid ? server.url("/") : url), reading)
                        }
                        // The race is what is tested: no gate can run it.
                        try? await Task.sleep(nanoseconds: .random(in: 0...3_000_000))
                        task.cancel()
                        results.append(Self.kind(await task.value))
                    }
                }
            }
        }
        #expect(ended != nil)
        let counts = results.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(results.values.count == 500)
        #expect(counts["other"] == nil, "\(counts)")
        #expect(try await transport.text(server.url("/")) == "ok")
    }

    private static func kind(_ outcome: Outcome) -> String {
        switch outcome.error {
        case nil: outcome.text == "ok" ? "answer" : "other"
        case is CancellationError: "cancelled"
        case is InvalidRequest: "invalid"
        case is URLError: "failed"
        default: "other"
        }
    }
}
