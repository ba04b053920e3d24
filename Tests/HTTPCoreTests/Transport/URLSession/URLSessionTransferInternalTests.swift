// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What holds a task up and lets it go on: the writer and the reader of the pipe, in every order.
struct URLSessionTransferInternalTests {
    /// Notes what it is told.
    ///
    /// `@unchecked Sendable`: what it notes has a lock.
    private final class Task: URLSessionDataTask, @unchecked Sendable {
        let calls = Locked<[String]>([])

        override init() {}
        override func suspend() { calls.withLock { $0.append("suspend") } }
        override func resume() { calls.withLock { $0.append("resume") } }
        override func cancel() { calls.withLock { $0.append("cancel") } }
    }

    private let task = Task()
    private let transfer: URLSessionTransfer

    init() async throws {
        transfer = try await Self.transfer(of: task)
    }

    private static func transfer(of task: Task) async throws -> URLSessionTransfer {
        let url = try #require(URL(string: "http://host/"))
        return URLSessionTransfer(
            HTTPRequest(URLRequest(url: url)), url: url, body: try await URLSessionBody(.empty),
            task: task, in: URLSessionPool(.ephemeral, try TLSHandshake(TLSSettings())))
    }

    private var calls: [String] { task.calls.withLock { $0 } }

    private func fill() throws {
        let bytes = [UInt8](repeating: 0, count: AnswerPipe.highWater)
        #expect(try bytes.withUnsafeBytes { try transfer.pipe.write($0) })
    }

    @Test func aTaskIsHeldUpUntilTheReaderHasMadeRoom() async throws {
        try fill()
        transfer.suspendWhileFull()
        #expect(calls == ["suspend"])
        _ = try await transfer.pipe.next()
        #expect(calls == ["suspend", "resume"])
    }

    /// Or nobody would ever let it go on.
    @Test func aTaskIsNotHeldUpWhereTheReaderHasMadeRoomMeanwhile() async throws {
        try fill()
        _ = try await transfer.pipe.next()
        transfer.suspendWhileFull()
        #expect(calls == [])
    }

    /// Tasks count: one that is held up twice has to be let go twice.
    @Test func aTaskIsHeldUpOnceForAllThatWasOnItsWay() async throws {
        for _ in 1...3 {
            try fill()
            transfer.suspendWhileFull()
        }
        _ = try await transfer.pipe.next()
        #expect(calls == ["suspend", "resume"])
    }

    @Test func aTaskIsHeldUpAgainAndAgain() async throws {
        for _ in 1...2 {
            try fill()
            transfer.suspendWhileFull()
            _ = try await transfer.pipe.next()
        }
        #expect(calls == ["suspend", "resume", "suspend", "resume"])
    }

    @Test func aTaskThatNobodyWantsIsNotHeldUp() throws {
        try fill()
        transfer.pipe.cancel()
        transfer.suspendWhileFull()
        #expect(calls == ["cancel"])
    }

    @Test func theTimerOfATransferGoesWithIt() async throws {
        var transfer: URLSessionTransfer? = try await Self.transfer(of: task)
        let timer = try #require(transfer?.state.withLock { $0.timer })
        transfer?.watch()
        #expect(!timer.isCancelled)
        transfer?.finish(nil)
        transfer = nil
        #expect(timer.isCancelled)
    }

    /// Such as a server that is not trusted, whose task then ends by our cancelling it.
    @Test func theFirstReasonToStopIsTheOneThatIsTold() async throws {
        struct First: Error {}
        struct Second: Error {}
        await #expect(throws: First.self) {
            try await transfer.pipe.answer {
                transfer.stop(because: First())
                transfer.stop(because: Second())
                transfer.finish(URLError(.cancelled))
            }
        }
    }
}
