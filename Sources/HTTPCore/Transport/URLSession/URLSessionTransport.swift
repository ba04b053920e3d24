// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

/// Sends requests with `URLSession`: the transport for Apple's platforms.
///
/// On Linux it serves stubs (`URLProtocol`) and little else: there, Foundation's URLSession ends the
/// process when an answer is cut in its head, waits for ever on a 401 that asks for Basic credentials,
/// and knows no back-pressure. Use ``CurlTransport``, or ``HTTPTransport/default``, which is that.
///
/// What no URLSession can do: keep the order and the repeats of header fields, tell the HTTP version
/// before the end, limit the time for a connection alone, or see that a gzip body is cut.
///
/// Redirects and cookies are not its business: ``HTTPTransport/standard(cookies:)`` adds them.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: URLSessionTransferDelegate

    /// Creates a transport with a session of its own, which ends with it, once the last transfer has.
    ///
    /// - Parameter configuration: What the session is made from. Its cookies and its cache are left
    ///   aside, so that all transports behave alike.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "Duet URLSession"
        delegate = URLSessionTransferDelegate()
        session = URLSession(configuration: copy, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let (url, _) = try RequestValidation.check(request)
        let body = try await URLSessionBody(request.body)
        let transfer = URLSessionTransfer(
            request, url: url, body: body, task: task(for: request, body: body))
        return try await delegate.answer(to: transfer)
    }

    private func task(for request: HTTPRequest, body: URLSessionBody) -> URLSessionTask {
        var urlRequest = request.urlRequest
        urlRequest.httpShouldHandleCookies = false
        // Our own clock keeps the idle limit: Foundation's, on Linux, cuts it to whole seconds.
        urlRequest.timeoutInterval = 86_400
        for name in ["Content-Length", "Transfer-Encoding"] {
            urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
        // Without a type, URLSession says that a body is a form.
        let hasBody = request.method.anticipatesContent || body.length > 0
        if hasBody, urlRequest.value(forHTTPHeaderField: "Content-Type") == nil {
            urlRequest.setHeaderContentType(.octetStream)
        }
        switch body.content {
        case .none:
            urlRequest.httpBody = request.method.anticipatesContent ? Data() : nil
            return session.dataTask(with: urlRequest)
        case .data(let data):
            urlRequest.httpBody = data
            return session.dataTask(with: urlRequest)
        case .file(let file):
            return session.uploadTask(with: urlRequest, fromFile: file)
        }
    }
}
