// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// The cases of CASES.md, part K, in the style of the actor.
@Suite(.timeLimit(.minutes(5)))
struct LifeCycleTests {
    private let api = API(transport: standardStack())
    private static let count = 200

    /// Answers after nought to three milliseconds.
    private func jitteryServer() throws -> LoopbackServer {
        try LoopbackServer { _ in
            let answer = LoopbackServer.Answer.json(#"{"id":1,"name":"Ann"}"#)
            return LoopbackServer.Answer([.pause(.random(in: 0...0.003))] + answer.steps)
        }
    }

    /// Gives the racing call a random head start, without a clock.
    private func dawdle() async {
        for _ in 0..<Int.random(in: 0...40) { await Task.yield() }
    }

    // O-43
    @Test func eachCallThatRacesACancelHasOneResult() async throws {
        let server = try jitteryServer()
        let url = server.url("/").absoluteString
        let results = Locked(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.count {
                let call = Task {
                    let user: User = try await api.request(url: url, method: .get, debug: false)
                    return user
                }
                group.addTask {
                    await dawdle()
                    call.cancel()
                    switch await call.result {
                    case .success(let user): #expect(user.id == 1)
                    case .failure(let error): #expect(error is CancellationError)
                    }
                    results.withLock { $0 += 1 }
                }
            }
            try await group.waitForAll()
        }
        #expect(results.withLock { $0 } == Self.count)
    }

    // O-43: a request whose URL is invalid, cancelled at once.
    @Test func aCallThatIsInvalidAndCancelledHasOneResult() async throws {
        for _ in 0..<Self.count {
            let call = Task { try await api.request(url: "nothing", method: .get, debug: false) }
            call.cancel()
            await #expect(throws: (any Error).self) { try await call.value }
        }
    }

    // O-44: cancelled before the call.
    @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
        let server = try LoopbackServer(script: [.json("{}")])
        let url = server.url("/").absoluteString
        for _ in 0..<Self.count {
            let gate = Gate()
            let call = Task {
                // Returns at once: the task is cancelled.
                await gate.wait()
                try await api.request(
                    url: url,
                    method: .post,
                    body: jsonBody(["order": 1]),
                    debug: false
                )
            }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(server.acceptCount == 0)
    }

    // O-44: the cancel races the call. What was cancelled first has no success.
    @Test func aCancelBeforeTheCallIsNeverASuccess() async throws {
        let server = try jitteryServer()
        let url = server.url("/").absoluteString
        for _ in 0..<Self.count {
            let call = Task {
                let wasCancelled = Task.isCancelled
                var failure: (any Error)?
                do {
                    try await api.request(
                        url: url,
                        method: .post,
                        body: jsonBody(["order": 1]),
                        debug: false
                    )
                } catch {
                    failure = error
                }
                return (wasCancelled, failure)
            }
            await dawdle()
            call.cancel()
            let (wasCancelled, failure) = await call.value
            if wasCancelled { #expect(failure is CancellationError) }
        }
    }
}
