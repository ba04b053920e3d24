// SPDX-License-Identifier: MIT

internal import Foundation

/// Hands the session's calls to the transfer they belong to.
///
/// A class of its own, since a session keeps its delegate until it is invalidated, and the transport
/// must be free to go before that.
///
/// `@unchecked Sendable`: `transfers` has a lock of its own and is the only variable; `handshake` is used
/// on the session's queue alone.
final class URLSessionTransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// Those under way, by the number of their task.
    let transfers = Locked<[Int: URLSessionTransfer]>([:])
    let handshake: TLSHandshake

    init(_ handshake: TLSHandshake) {
        self.handshake = handshake
    }

    /// Begins a transfer, whose pipe gives the answer.
    func begin(_ transfer: URLSessionTransfer) {
        let id = transfer.task.taskIdentifier
        transfers.withLock { $0[id] = transfer }
        // A task that was cancelled before this may have completed before it, too: then nothing else
        // would take the transfer out. One that is cancelled from here on completes later.
        if transfer.pipe.isOver { return transfers.withLock { $0[id] = nil } }
        transfer.watch()
        transfer.task.resume()
    }

    func transfer(_ task: URLSessionTask) -> URLSessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.didSend(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler answer: @escaping (URLRequest?) -> Void
    ) {
        // Nil: the redirect itself is the answer. Following it is not the terminal's business. On Linux a
        // task that was cancelled must not hear of it, or the process ends: one lock orders the two.
        transfer(task)?.state.withLock { _ in task.state == .canceling ? () : answer(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.finish(error)
    }
}
