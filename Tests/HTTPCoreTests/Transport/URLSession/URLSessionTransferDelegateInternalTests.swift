// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPCore

/// Whatever a cancel meets, no transfer stays, and no file that it made.
@Suite(.timeLimit(.minutes(5)))
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
}
#endif
