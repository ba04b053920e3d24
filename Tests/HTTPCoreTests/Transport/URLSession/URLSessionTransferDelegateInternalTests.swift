// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPCore

/// Whatever a cancel meets, no transfer stays, and no file that it made.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionTransferDelegateInternalTests {
    /// Answers at once, without a network: there, Foundation ends the process now and then when the
    /// upload of a file is cancelled.
    private final class Stub: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url,
                let head = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("ok".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    private let transport: URLSessionTransport
    private let url: URL

    init() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        transport = URLSessionTransport(configuration: configuration)
        url = try #require(URL(string: "http://host/"))
    }

    /// The task has completed before its transfer is there to be told so.
    @Test func aTransferThatIsCancelledBeforeItBeginsDoesNotStay() async throws {
        let pool = try transport.pool(for: nil)
        let task = pool.session.dataTask(with: URLRequest(url: url))
        let transfer = URLSessionTransfer(
            HTTPRequest(URLRequest(url: url)), url: url, body: try await URLSessionBody(.empty),
            task: task, in: pool)
        let told = DispatchSemaphore(value: 0)
        await #expect(throws: CancellationError.self) {
            try await transfer.pipe.answer {
                transfer.pipe.cancel()
                while task.state != .completed { usleep(100) }
                // The session's queue is serial: what it had to tell has been told.
                pool.session.delegateQueue.addOperation { told.signal() }
                told.wait()
                pool.delegate.begin(transfer)
            }
        }
        #expect(pool.delegate.transfers.withLock { $0.count } == 0)
    }

    @Test func cancelsThatRaceLeaveNothing() async throws {
        // A process of its own, for a folder of its own.
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            setenv("TMPDIR", folder.path, 1)
            let tests = try URLSessionTransferDelegateInternalTests()
            await tests.raceCancels()
            let files = { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
            let transfers = try tests.transport.pool(for: nil).delegate.transfers
            // Foundation tells of a cancel after the caller has been told, and lets go after that.
            for _ in 0..<300 {
                let isClean = try transfers.withLock { $0.isEmpty } && files().isEmpty
                if isClean { break }
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            #expect(transfers.withLock { $0.count } == 0)
            #expect(try files() == [])
            try FileManager.default.removeItem(at: folder)
        }
    }

    private func raceCancels() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                if number >= 25 { await group.next() }
                group.addTask {
                    let body = RequestBody.stream(
                        AsyncStream<Data> { stream in
                            stream.yield(Data("body".utf8))
                            stream.finish()
                        })
                    let request = HTTPRequest(URLRequest(method: .put, url: url), body: body)
                    let task = Task { try await transport.send(request).data() }
                    // The race is what is tested: no gate can run it.
                    try? await Task.sleep(nanoseconds: .random(in: 0...1_000_000))
                    task.cancel()
                    let answer = await task.result
                    if case .success(let data) = answer { #expect(data == Data("ok".utf8)) }
                }
            }
        }
    }
}
#endif
