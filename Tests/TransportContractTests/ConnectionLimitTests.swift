// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// How many connections libcurl may hold, and how long it may take to make one.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    /// 64 go to one host; what is more waits for its turn, and gets its answer.
    @Test func connectionsToAHostAreBounded() async throws {
        let gate = Gate()
        let server = try heldServer(gate)
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<150 {
                group.addTask { try await transport.text(server.url("/\(number)")) }
            }
            #expect(await server.waitForRequests(64))
            #expect(await !server.waitForAccepts(65, timeout: 0.5))
            gate.open()
            var answers: Set<String> = []
            for try await answer in group { answers.insert(answer) }
            #expect(answers.count == 150)
        }
        #expect(server.acceptCount == 64)
    }

    /// And 256 to all hosts together.
    @Test func connectionsAreBoundedInAll() async throws {
        let gate = Gate()
        let servers = try (0..<5).map { _ in try heldServer(gate) }
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: String.self) { group in
            for server in servers {
                for number in 0..<60 {
                    group.addTask { try await transport.text(server.url("/\(number)")) }
                }
            }
            for _ in 0..<1_000 where accepted(by: servers) < 256 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            // Time for one more to come.
            #expect(await !servers[0].waitForAccepts(61, timeout: 0.5))
            #expect(accepted(by: servers) == 256)
            gate.open()
            let answers = try await group.reduce(0) { count, _ in count + 1 }
            #expect(answers == 300)
        }
    }

    /// A server that takes a connection and says no word of TLS has the connect limit alone.
    @Test func connectLimitCoversTLS() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let url = try #require(
            URL(
                string: server.url("/").absoluteString.replacingOccurrences(
                    of: "http:", with: "https:")))
        let request = HTTPRequest.get(url) {
            $0.idleLimit = 0
            $0.options.connectTimeout = 0.2
        }
        let outcome = await CurlTransport().outcome(request)
        #expect(outcome.urlError?.code == .timedOut, "\(outcome)")
        #expect(outcome.urlError?.requestMayHaveArrived == false)
        #expect(await server.waitForOpenConnections(0))
    }

    private func accepted(by servers: [LoopbackServer]) -> Int {
        servers.map(\.acceptCount).reduce(0, +)
    }

    private func heldServer(_ gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request in
            LoopbackServer.Answer([.wait(gate)] + LoopbackServer.Answer.text(request.path).steps)
        }
    }
}
#endif
