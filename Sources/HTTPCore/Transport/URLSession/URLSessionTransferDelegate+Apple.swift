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
}
#endif
