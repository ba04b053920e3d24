// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// O-45: what a transport holds goes with it.
///
/// Each test counts in a process of its own.
@Suite(.timeLimit(.minutes(5)))
struct LifeCycleTests {
    @Test func droppedCurlTransportsLeaveNothing() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await LifeCycleTests().check { CurlTransport() }
            }
        }
    }

    @Test func droppedURLSessionTransportsLeaveNothing() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await LifeCycleTests().check { URLSessionTransport() }
            }
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
        #expect(await server.waitForOpenConnections(0, timeout: 60))
    }

    /// However much comes and however slowly it is read, little of it is in memory.
    ///
    /// `Scripts/soak` does the same with 1 GiB and a reader that sleeps.
    @Test func streamedBodyTakesLittleMemory() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                try await LifeCycleTests().checkMemory { CurlTransport() }
            }
        }
    }

    private func checkMemory(_ make: () -> any HTTPTransport) async throws {
        let (piece, count) = (pattern(1 << 20), 256)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count << 20)\r\n\r\n"
        let server = try LoopbackServer { request in
            request.path == "/warm"
                ? .respond(200, body: piece)
                : LoopbackServer.Answer(
                    [.text(head)] + Array(repeating: .send(piece), count: count))
        }
        let transport = make().standard()
        _ = try await transport.text(server.url("/warm"))
        let before = try Self.peakMemory()
        let response = try await transport.send(.get(server.url("/")))
        var received = 0
        for try await chunk in response.body {
            if received == 0 {
                // What is waited for would come, were it not for the reader.
                #expect(await !server.waitForBytesSent(count << 20, timeout: 1))
            }
            received += chunk.count
        }
        #expect(received == count << 20)
        #expect(try Self.peakMemory() - before < 32 << 20)
    }

    /// The most memory that the process ever had, in bytes.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        return try #require(words.dropFirst().first.flatMap { Int($0) }) << 10
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
