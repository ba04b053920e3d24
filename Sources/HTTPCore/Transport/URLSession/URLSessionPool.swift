// SPDX-License-Identifier: MIT

internal import Foundation

/// The session and the connections of one TLS setting.
///
/// Kept by its transport and by each transfer until that has ended: the session ends with the last of
/// them.
final class URLSessionPool: Sendable {
    let session: URLSession
    let delegate: URLSessionTransferDelegate

    /// Creates a session.
    ///
    /// - Throws: `URLError` where the setting can't be had: a certificate that can't be read, or no
    ///   such settings on this platform.
    init(_ configuration: URLSessionConfiguration, _ tls: TLSSettings) throws {
        delegate = URLSessionTransferDelegate(try TLSHandshake(tls))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "Duet URLSession"
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}
