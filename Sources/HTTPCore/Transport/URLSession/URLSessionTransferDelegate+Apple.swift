// SPDX-License-Identifier: MIT

#if canImport(Security)
internal import Foundation

extension URLSessionTransferDelegate {
    /// Challenges of the session come here too, since there is no method for those alone: so each
    /// belongs to a task, whose error says what was wrong.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        do {
            let (disposition, credential) = try handshake.answer(challenge.protectionSpace)
            completionHandler(disposition, credential)
        } catch {
            transfer(task)?.stop(because: error)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    /// Comes before the completion, with the transaction that gave the answer as its last.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard let last = metrics.transactionMetrics.last else { return }
        transfer(task)?.state.withLock { $0.metrics.read(last) }
    }
}

extension HTTPMetrics {
    fileprivate mutating func read(_ seen: URLSessionTaskTransactionMetrics) {
        let start = seen.fetchStartDate ?? Date()
        // From "h2", or "http/1.1".
        httpVersion = seen.networkProtocolName?.uppercased()
            .replacingOccurrences(of: "^H(?=[0-9])", with: "HTTP/", options: .regularExpression)
        reusedConnection = seen.isReusedConnection
        nameLookup = seen.domainLookupEndDate?.timeIntervalSince(start)
        // The end of a connection is the end of its TLS.
        connect = (seen.secureConnectionStartDate ?? seen.connectEndDate)?.timeIntervalSince(start)
        secureConnect = seen.secureConnectionEndDate?.timeIntervalSince(start)
        firstByte = seen.responseStartDate?.timeIntervalSince(start)
        bodyBytesReceived = seen.countOfResponseBodyBytesReceived
    }
}
#endif
