// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import Foundation

/// Sends requests with libcurl: the transport for Linux.
///
/// One thread and one pool of connections for each transport that is made; both end with it, once the
/// last transfer has. HTTP/1.1, and HTTP/2 over TLS where the server has it. At most 64 connections to a
/// host and 256 in all; what is more waits. Connections that nothing uses are closed after 60 seconds.
///
/// Redirects and cookies are not its business: ``HTTPTransport/standard(cookies:)`` adds them.
public final class CurlTransport: HTTPTransport {
    private let loop = CurlLoop()

    /// Creates a transport with a thread and connections of its own.
    public init() {}

    deinit {
        loop.post(.stop)
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let transfer = try CurlTransfer(request, on: loop)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { transfer.start($0) }
        } onCancel: {
            transfer.cancel()
        }
    }
}
#endif
