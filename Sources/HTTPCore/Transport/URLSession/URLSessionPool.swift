// SPDX-License-Identifier: MIT

internal import Foundation

/// The session and the connections of one TLS setting.
///
/// Kept by its transport and by each transfer until that has ended: the session ends with the last of
/// them.
final class URLSessionPool: Sendable {
    let session: URLSession
    let delegate: URLSessionTransferDelegate

    init(_ configuration: URLSessionConfiguration, _ handshake: TLSHandshake) {
        delegate = URLSessionTransferDelegate(handshake)
        // Without a queue of ours, the session makes a serial one.
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}
