// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPTaskTests {
    private let stack = standardStack()

    @Test func theResultComesOnTheMainActor() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let (todo, isMain) = await withCheckedContinuation { continuation in
            endpoint.load(on: stack) { result in
                MainActor.assertIsolated()
                continuation.resume(returning: (try? result.get(), MainQueueMark.isHere))
            }
        }
        #expect(todo == Todo(id: 1, title: "one"))
        #expect(isMain)
    }

    @Test func theResultComesOnTheQueueGiven() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let queue = DispatchQueue(label: "results")
        let todo = await withCheckedContinuation { continuation in
            endpoint.load(on: stack, queue: queue) { result in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.resume(returning: try? result.get())
            }
        }
        #expect(todo == Todo(id: 1, title: "one"))
    }

    @Test func aFailureIsAResult() async throws {
        let server = try LoopbackServer(script: [.text("gone", status: 410)])
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let error = await withCheckedContinuation { continuation in
            endpoint.load(on: stack) { result in
                if case .failure(let error) = result { continuation.resume(returning: error) }
            }
        }
        #expect((error as? HTTPStatusError)?.body == Data("gone".utf8))
    }

    @Test @MainActor func aMainActorModelIsDecodedThere() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let endpoint = EndpointLoadTests.mainActorEndpoint(server.url("/"))
        let isMain = await withCheckedContinuation { continuation in
            endpoint.load(on: stack) { result in
                continuation.resume(returning: (try? result.get())?.wasDecodedOnMainQueue)
            }
        }
        #expect(isMain == true)
    }

    @Test func aValueThatIsNotSendableIsHandedOver() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let endpoint = Endpoint<Note>.json(server.url("/"))
        let title = await withCheckedContinuation { continuation in
            endpoint.load(on: stack) { continuation.resume(returning: (try? $0.get())?.title) }
        }
        #expect(title == "one")
    }

    @TaskLocal private static var trace = "none"

    @Test func aLoadTakesTheCallersTaskLocalValuesAndPriorityAlong() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        let endpoint = Endpoint<String>.get(server.url("/")) { _, _ in
            "\(Self.trace) \(Task.currentPriority == .background)"
        }
        let seen = await Task(priority: .background) {
            await withCheckedContinuation { continuation in
                Self.$trace.withValue("trace 7") {
                    _ = endpoint.load(on: stack, queue: .global()) {
                        continuation.resume(returning: try? $0.get())
                    }
                }
            }
        }.value
        #expect(seen == "trace 7 true")
    }

    @Test @MainActor func aLoadDoesNotTakeTheCallersActorAlong() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        let endpoint = Endpoint<Bool>.get(server.url("/")) { _, _ in MainQueueMark.isHere }
        let isMain = await withCheckedContinuation { continuation in
            endpoint.load(on: stack) { continuation.resume(returning: try? $0.get()) }
        }
        #expect(isMain == false)
    }

    // The main actor is ours until the test awaits, so the cancel comes before any delivery.
    @Test @MainActor func aLoadThatIsCancelledAtOnceCallsNobody() async throws {
        let server = try LoopbackServer(script: [.json("{}")])
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let calls = Locked(0)
        let task = endpoint.load(on: stack) { _ in calls.withLock { $0 += 1 } }
        task.cancel()
        #expect(task.isCancelled)
        try await settle(server)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func aLoadThatIsCancelledWhileItWaitsCallsNobodyAndHangsUp() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/slow" ? LoopbackServer.Answer([.wait(gate), .close]) : .json("{}")
        }
        let endpoint = Endpoint<Todo>.json(server.url("/slow"))
        let (calls, queue) = (Locked(0), DispatchQueue(label: "results"))
        let tasks = [
            endpoint.load(on: stack) { _ in calls.withLock { $0 += 1 } },
            endpoint.load(on: stack, queue: queue) { _ in calls.withLock { $0 += 1 } },
        ]
        #expect(await server.waitForRequests(2))
        tasks.forEach { $0.cancel() }
        #expect(await server.waitForOpenConnections(0))
        try await settle(server)
        queue.sync {}
        #expect(calls.withLock { $0 } == 0)
        #expect(tasks.map(\.isCancelled) == [true, true])
    }

    // The load has ended when the cancel comes, but its call has not.
    @Test func aResultThatWaitsForItsQueueIsNotDeliveredAfterACancel() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let queue = DispatchQueue(label: "results")
        queue.suspend()
        let calls = Locked(0)
        let decoded = Gate()
        let endpoint = Endpoint<Int>.get(server.url("/")) { _, _ in
            decoded.open()
            return 1
        }
        let task = endpoint.load(on: stack, queue: queue) { _ in calls.withLock { $0 += 1 } }
        await decoded.wait()
        task.cancel()
        queue.resume()
        try await settle(server)
        queue.sync {}
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func cancellingAfterTheResultChangesNothing() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        let endpoint = Endpoint<Void>.get(
            server.url("/"),
            decode: EndpointExpectation.ignoreResponse
        )
        let (calls, done) = (Locked(0), Gate())
        let task = endpoint.load(on: stack) { _ in
            calls.withLock { $0 += 1 }
            done.open()
        }
        await done.wait()
        task.cancel()
        task.cancel()
        #expect(!task.isCancelled)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func aLoadGoesOnWhenItsTaskIsDropped() async throws {
        let (gate, done) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([.wait(gate)] + LoopbackServer.Answer.json("{}").steps)
        }
        _ = Endpoint<Void>.get(server.url("/"), decode: EndpointExpectation.ignoreResponse)
            .load(on: stack) { result in
                if case .success = result { done.open() }
            }
        #expect(await server.waitForRequests(1))
        gate.open()
        await done.wait()
        #expect(done.isOpen)
    }

    /// Loads something else to its end, and lets the main actor run: what was on its way has arrived.
    private func settle(_ server: LoopbackServer) async throws {
        let settled = Endpoint<Void>.get(
            server.url("/settle"),
            decode: EndpointExpectation.ignoreResponse
        )
        for _ in 0..<3 { try await settled.load(on: stack) }
        await MainActor.run {}
    }
}
