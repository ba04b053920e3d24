// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// O-45: what a transport holds goes with it.
///
/// Each test counts in a process of its own.
@Suite(.timeLimit(.minutes(1)))
struct LifeCycleTests {
    @Test func droppedCurlTransportsLeaveNothing() async throws {
        await #expect(processExitsWith: .success) {
            try await LifeCycleTests().check { CurlTransport() }
        }
    }

    @Test func droppedURLSessionTransportsLeaveNothing() async throws {
        await #expect(processExitsWith: .success) {
            try await LifeCycleTests().check { URLSessionTransport() }
        }
    }

    /// A body outlives the transport it came by.
    @Test(arguments: Subject.all)
    func bodyOutlivesItsTransport(_ subject: Subject) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), .wait(gate), .text("two"),
            ])
        }
        do {
            let response = try await subject.transport().send(.get(server.url("/")))
            gate.open()
            #expect(try await response.data() == Data("onetwo".utf8))
        }
        #expect(await server.waitForOpenConnections(0, timeout: 5))
    }

    private struct Weak {
        weak var transport: (any HTTPTransport & AnyObject)?
    }

    private func check(_ make: () -> any HTTPTransport & AnyObject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }

        func useAndDrop() async throws -> Weak {
            let transport = make()
            #expect(try await transport.text(server.url("/")) == "ok")
            return Weak(transport: transport)
        }

        // What the process makes once and keeps: threads of pools, caches.
        for _ in 0..<10 { _ = try await useAndDrop() }
        #expect(await server.waitForOpenConnections(0))
        #expect(try await settles { true })
        let (descriptors, threads) = (Self.count("fd"), Self.count("task"))
        var all: [Weak] = []
        for _ in 0..<100 { all.append(try await useAndDrop()) }
        #expect(try await settles { all.allSatisfy { $0.transport == nil } })
        #expect(await server.waitForOpenConnections(0))
        // Pools may have grown by a few, not by one for each transport.
        let isBack = try await settles {
            Self.count("fd") <= descriptors + 5 && Self.count("task") <= threads + 5
        }
        #expect(
            isBack, "\(descriptors), \(threads) became \(Self.count("fd")), \(Self.count("task"))")
    }

    /// Looks again and again for up to three seconds: nothing says when a thread has ended.
    private func settles(_ isMet: () -> Bool) async throws -> Bool {
        for _ in 0..<300 where !isMet() { try await Task.sleep(nanoseconds: 10_000_000) }
        return isMet()
    }

    private static func count(_ kind: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count) ?? -1
    }
}
#endif
