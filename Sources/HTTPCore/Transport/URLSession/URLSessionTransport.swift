// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

/// Sends requests with `URLSession`: the transport for Apple's platforms.
///
/// On Linux it serves stubs (`URLProtocol`) and little else: there, Foundation's URLSession ends the
/// process when an answer is cut in its head and, rarely, when a cancel meets the end of a
/// transfer, waits for ever on a 401 that asks for Basic credentials, and knows no back-pressure. Use
/// ``CurlTransport``, or ``HTTPTransport/default``, which is that.
///
/// What no URLSession can do: keep the order and the repeats of header fields, tell the HTTP version
/// before the end, limit the time for a connection alone, or see that a gzip body is cut.
///
/// Redirects and cookies are not its business: ``HTTPTransport/standard(cookies:)`` adds them.
public final class URLSessionTransport: HTTPTransport {
    /// The most sessions for client identities; the one that was used longest ago goes first.
    private static let identitiesAtOnce = 8

    private let trust: ServerTrust
    private let pool: Result<URLSessionPool, any Error>
    private let identityPools = Locked<[(tls: TLSSettings, pool: URLSessionPool)]>([])

    /// Creates a transport with sessions of its own, one for each TLS setting that its requests ask for;
    /// they end with it, once the last transfer has.
    ///
    /// - Parameters:
    ///   - configuration: What the sessions are made from. Its cookies and its cache are left aside, so
    ///     that all transports behave alike.
    ///   - trust: Whom to trust as a server. On Linux, a request fails where this is not the system, or
    ///     where it has a client certificate.
    public init(
        configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrust = .system
    ) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        copy.httpCookieStorage = nil
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.trust = trust
        pool = Result { URLSessionPool(copy, try TLSHandshake(TLSSettings(trust: trust))) }
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let (url, _) = try RequestValidation.check(request)
        let pool = try pool(for: request.options.identity)
        let body = try await URLSessionBody(request.body)
        let task = Self.task(for: request, body: body, in: pool.session)
        let transfer = URLSessionTransfer(request, url: url, body: body, task: task, in: pool)
        return try await transfer.pipe.answer { pool.delegate.begin(transfer) }
    }

    /// A request with an identity never rides the connection of another, nor one without it.
    func pool(for identity: ClientIdentity?) throws -> URLSessionPool {
        let pool = try self.pool.get()
        guard let identity else { return pool }
        let tls = TLSSettings(trust: trust, identity: identity)
        return try identityPools.withLock { pools in
            let index = pools.firstIndex { $0.tls == tls }
            let own =
                try index.map { pools.remove(at: $0).pool }
                ?? URLSessionPool(pool.session.configuration, TLSHandshake(tls))
            if pools.count == Self.identitiesAtOnce { pools.removeFirst() }
            pools.append((tls, own))
            return own
        }
    }

    private static func task(
        for request: HTTPRequest, body: URLSessionBody, in session: URLSession
    ) -> URLSessionTask {
        var urlRequest = request.urlRequest
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
        if let file = body.file { return session.uploadTask(with: urlRequest, fromFile: file) }
        urlRequest.httpBody = body.data ?? (request.method.anticipatesContent ? Data() : nil)
        return session.dataTask(with: urlRequest)
    }
}
