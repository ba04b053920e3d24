// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

/// The cases of CASES.md, part K, in the style of endpoints.
@Suite(.timeLimit(.minutes(5)))
struct LifeCycleTests {
    private let stack = standardStack()
    private static let count = 200

    /// Answers after nought to three milliseconds.
    private func jitteryServer() throws -> LoopbackServer {
        try LoopbackServer { _ in
            let answer = LoopbackServer.Answer.json(#"{"id":1,"title":"one"}"#)
            return LoopbackServer.Answer([.pause(.random(in: 0...0.003))] + answer.steps)
        }
    }

    /// Gives the racing load a random head start, without a clock.
    private func dawdle() async {
        for _ in 0..<Int.random(in: 0...40) { await Task.yield() }
    }

    // O-43: the load of an actor or a task.
    @Test func eachLoadThatRacesACancelHasOneResult() async throws {
        let server = try jitteryServer()
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        var results = 0
        for _ in 0..<Self.count {
            let task = Task { try await endpoint.load(on: stack) }
            await dawdle()
            task.cancel()
            switch await task.result {
            case .success(let todo): #expect(todo.id == 1)
            case .failure(let error): #expect(error is CancellationError)
            }
            results += 1
        }
        #expect(results == Self.count)
    }

    // O-43: with a closure. A cancelled load calls nobody, any other one calls once.
    @Test func eachClosureThatRacesACancelIsCalledOnceOrNever() async throws {
        let server = try jitteryServer()
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let queue = DispatchQueue(label: "results")
        let calls = Locked([Int](repeating: 0, count: Self.count))
        var tasks: [HTTPTask] = []
        for index in 0..<Self.count {
            let task = endpoint.load(on: stack, queue: queue) { _ in
                calls.withLock { $0[index] += 1 }
            }
            await dawdle()
            if index.isMultiple(of: 2) { task.cancel() }
            tasks.append(task)
        }
        let done = Gate()
        endpoint.load(on: stack, queue: queue) { _ in done.open() }
        await done.wait()
        // Half of them were left alone: each is called, and the queue is the same for all.
        while calls.withLock({ calls in
            (0..<Self.count).contains { !$0.isMultiple(of: 2) && calls[$0] == 0 }
        }) {
            await Task.yield()
        }
        queue.sync {}
        let counts = calls.withLock { $0 }
        for (index, task) in tasks.enumerated() {
            #expect(counts[index] == (task.isCancelled ? 0 : 1))
        }
    }

    #if !os(Linux)
    // O-43: Foundation's session, which has to call each time. On Linux it ends the process now and
    // then, when a cancel meets the start or the end of its task (Docs/Transports.md).
    @Test func eachTaskOfASessionThatRacesACancelHasOneResult() async throws {
        let server = try jitteryServer()
        let session = URLSession(configuration: .ephemeral)
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let calls = Locked([Int](repeating: 0, count: Self.count))
        await withTaskGroup { group in
            for index in 0..<Self.count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let task = session.dataTask(endpoint: endpoint) { result in
                            if case .failure(let error) = result {
                                #expect((error as? URLError)?.code == .cancelled)
                            }
                            let isFirst = calls.withLock { calls in
                                calls[index] += 1
                                return calls[index] == 1
                            }
                            if isFirst { continuation.resume() }
                        }
                        task.resume()
                        if index.isMultiple(of: 2) { task.cancel() }
                    }
                }
            }
        }
        #expect(calls.withLock { $0 } == [Int](repeating: 1, count: Self.count))
    }
    #endif

    // O-43: a request whose URL is invalid, cancelled at once.
    @Test func aRequestThatIsInvalidAndCancelledHasOneResult() async throws {
        let endpoint = Endpoint<Todo>.json(try #require(URL(string: "nothing://")))
        for _ in 0..<Self.count {
            let task = Task { try await endpoint.load(on: stack) }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }

    // O-44: cancelled before the call.
    @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        var request = URLRequest(method: .post, url: server.url("/"))
        request.httpBody = Data("order".utf8)
        let endpoint = Endpoint<Void>(
            request: request,
            decodeResponse: EndpointExpectation.ignoreResponse
        )
        for _ in 0..<Self.count {
            let gate = Gate()
            let task = Task {
                // Returns at once: the task is cancelled.
                await gate.wait()
                try await endpoint.load(on: stack)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(server.acceptCount == 0)
    }

    // O-44: the cancel races the call. What was cancelled first has no success.
    @Test func aCancelBeforeTheCallIsNeverASuccess() async throws {
        let server = try jitteryServer()
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        for _ in 0..<Self.count {
            let task = Task {
                let wasCancelled = Task.isCancelled
                let result: Result<Todo, any Error>
                do { result = .success(try await endpoint.load(on: stack)) } catch {
                    result = .failure(error)
                }
                return (wasCancelled, result)
            }
            await dawdle()
            task.cancel()
            let (wasCancelled, result) = await task.value
            if wasCancelled { #expect(throws: CancellationError.self) { try result.get() } }
        }
    }
}
