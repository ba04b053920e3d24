// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The limits of time, the idle limit's length once in real time.
@Suite(.timeLimit(.minutes(5)))
struct TimeoutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"

    private func drip(_ count: Int, every seconds: TimeInterval) -> LoopbackServer.Answer {
        let steps = (0..<count).flatMap { _ in
            [LoopbackServer.Step.pause(seconds), .text("0123456789")]
        }
        return LoopbackServer.Answer([.text(Self.head)] + steps + [.hold])
    }

    /// Half a second is neither nothing nor a whole one.
    ///
    /// In a process of its own, where no other test keeps the threads busy.
    @Test func idleLimitTakesFractions() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await eachWay(Subject.all) { try await TimeoutTests().checkIdleLimit($0, $1) }
            }
        }
    }

    private func checkIdleLimit(_ subject: Subject, _ reading: Reading) async throws {
        let server = try LoopbackServer { request in
            request.path == "/next"
                ? .text("next")
                : LoopbackServer.Answer(
                    request.path == "/head" ? [.hold] : [.text(Self.head), .hold])
        }
        let transport = subject.transport()
        for path in ["/head", "/body"] {
            let request = HTTPRequest.get(server.url(path)) { $0.idleLimit = 0.5 }
            let start = ProcessInfo.processInfo.systemUptime
            let outcome = await transport.outcome(request, reading)
            let time = ProcessInfo.processInfo.systemUptime - start
            #expect((0.5...1.5).contains(time), "\(subject.name), \(reading)")
            #expect(outcome.failedInBody == (path == "/body" && reading == .streamed))
            #expect(outcome.urlError?.code == .timedOut, "\(outcome)")
            #expect(outcome.urlError?.requestMayHaveArrived == true)
        }
        #expect(try await transport.text(server.url("/next")) == "next")
        // The connections of what was given up are closed.
        #expect(await server.waitForOpenConnections(1))
    }

    /// What drips within the limit is not idle, however long it takes.
    @Test(arguments: Subject.all, Reading.allCases)
    func idleTimeIsMeasuredBetweenBytes(_ subject: Subject, reading: Reading) async throws {
        let answer = drip(10, every: 0.15)
        let server = try LoopbackServer { _ in answer }
        let request = HTTPRequest.get(server.url("/")) { $0.idleLimit = 1 }
        let outcome = await subject.transport().outcome(request, reading)
        #expect(outcome.text?.utf8.count == 100, "\(outcome)")
    }

    @Test func totalLimitCoversTheBody() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await eachWay(Subject.all) { try await TimeoutTests().checkTotalLimit($0, $1) }
            }
        }
    }

    private func checkTotalLimit(_ subject: Subject, _ reading: Reading) async throws {
        let answer = drip(9, every: 0.2)
        let server = try LoopbackServer { _ in answer }
        let request = HTTPRequest.get(server.url("/")) { $0.options.totalTimeout = 0.5 }
        let start = ProcessInfo.processInfo.systemUptime
        let outcome = await subject.transport().outcome(request, reading)
        let time = ProcessInfo.processInfo.systemUptime - start
        // Without this limit, the idle limit ends it after half a minute.
        #expect((0.5...15).contains(time), "\(subject.name), \(reading)")
        #expect(outcome.urlError?.code == .timedOut, "\(subject.name), \(reading), \(outcome)")
        #expect(outcome.failedInBody == (reading == .streamed))
        #expect(await server.waitForOpenConnections(0))
    }

    /// The body of the last hop gets what the hops before it have left.
    @Test func totalLimitCoversTheBodyOfTheLastHop() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await eachWay(Subject.all.filter(\.isStandard)) {
                    try await TimeoutTests().checkLastHop($0, $1)
                }
            }
        }
    }

    private func checkLastHop(_ subject: Subject, _ reading: Reading) async throws {
        let (pause, limit) = (2.0, 5.0)
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? LoopbackServer.Answer(
                    [.pause(pause)]
                        + LoopbackServer.Answer.respond(302, [("Location", "/x")]).steps)
                : LoopbackServer.Answer([.text(Self.head + "abc"), .hold])
        }
        let request = HTTPRequest.get(server.url("/r")) { $0.options.totalTimeout = limit }
        let start = ProcessInfo.processInfo.systemUptime
        let outcome = await subject.transport().outcome(request, reading)
        // With a limit of its own, the last hop alone would take that long, and so both longer than this.
        let time = ProcessInfo.processInfo.systemUptime - start
        #expect(time < pause + limit, "\(subject.name), \(reading)")
        #expect(outcome.urlError?.code == .timedOut, "\(outcome)")
        #expect(outcome.failedInBody == (reading == .streamed))
    }

    /// A reader that takes its time is not the server's fault.
    @Test(arguments: Subject.all)
    func pausesOfTheReaderDoNotCount(_ subject: Subject) async throws {
        let size = 16 << 20
        let content = pattern(size)
        let server = try LoopbackServer { _ in .respond(200, body: content) }
        let request = HTTPRequest.get(server.url("/")) { $0.idleLimit = 1 }
        let response = try await subject.transport().send(request)
        // What is waited for comes only when there is no back-pressure.
        _ = await server.waitForBytesSent(.max, timeout: 2)
        let body = try await response.data()
        #expect(body == content)
    }
}
