// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConcurrencyTests {
    /// 200 at once over one transport: each gets its own answer.
    @Test(arguments: Subject.all)
    func everyRequestGetsItsOwnAnswer(_ subject: Subject) async throws {
        let server = try LoopbackServer { request in
            .respond(200, [("X-Path", request.path)], body: "\(request.path) \(request.bodyText)")
        }
        let transport = subject.transport()
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let body = number % 2 == 0 ? nil : RequestBody.data(Data("body \(number)".utf8))
                    let request = HTTPRequest.make(
                        body == nil ? .get : .put, server.url("/\(number)"), body)
                    let outcome = await transport.outcome(request, Reading.allCases[number % 2])
                    guard case .answer(let response, _) = outcome else { return false }
                    return response.headers["X-Path"] == "/\(number)"
                        && outcome.text == "/\(number) \(body == nil ? "" : "body \(number)")"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 200)
        #expect(Set(server.requests.map(\.path)).count == 200)
        #expect(server.requests.count == 200)
    }

    /// One slow answer holds no other up.
    @Test(arguments: Subject.all)
    func slowAnswerHoldsNobodyUp(_ subject: Subject) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/slow"
                ? LoopbackServer.Answer([.wait(gate)] + LoopbackServer.Answer.text("slow").steps)
                : .text(request.path)
        }
        let transport = subject.transport()
        // Silent for as long as the others take.
        let request = HTTPRequest.get(server.url("/slow")) { $0.idleLimit = 240 }
        let slow = Task { await transport.outcome(request).text }
        #expect(await server.waitForRequests(1))
        for number in 0..<20 {
            #expect(try await transport.text(server.url("/\(number)")) == "/\(number)")
        }
        gate.open()
        #expect(await slow.value == "slow")
    }
}
