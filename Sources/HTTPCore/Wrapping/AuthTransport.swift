// SPDX-License-Identifier: MIT

public import Foundation

/// Signs requests to the origins that it was made for, once more where a signature was refused.
struct AuthTransport: Layer {
    let base: any HTTPTransport
    let origins: Set<String>
    /// Whether there may be other credentials after a refusal.
    let refreshes: Bool
    /// The value of `Authorization`, not the one that was refused; nil: there is none.
    let credentials: @Sendable (_ refused: String?) async throws -> String?

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A field of the caller's own wins.
        guard let url = request.urlRequest.url, origins.contains(url.origin),
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil,
            let first = try await credentials(nil)
        else { return try await base.send(request) }
        var request = request.withRisingProgress
        try request.urlRequest.setHeader("Authorization", first)
        var signed = request
        signed.options.leaveUncollected([401])
        let response = try await base.send(signed)
        // Another origin never saw the credentials. Past a redirect, what was asked first may have been acted on.
        guard refreshes, response.status == 401, response.url.origin == url.origin,
            request.method.isIdempotent || !(response.isRedirected || response.url != url)
        else { return try await response.collected(for: request) }
        // Before others are fetched: until then the answer holds its connection, which that may wait for.
        await response.drain()
        try Task.checkCancellation()
        try request.urlRequest.setHeader("Authorization", await credentials(first))
        return try await base.send(request)
    }
}

extension HTTPTransport {
    /// Returns this transport with a bearer token for each request to the source's origins (RFC 6750).
    ///
    /// A token that is about to expire, or was answered by 401, is refreshed, once for all requests that wait for
    /// it, and the request is sent again with its body: once, so that a second 401 is the answer. Not sent
    /// again is a request whose redirect has led to the 401, when its method is not idempotent. Put it around
    /// redirects, so around `standard(cookies:)`.
    ///
    /// ```swift
    /// let api = API(
    ///     transport: DefaultTransport.default
    ///         .retrying(RetryPolicy(attempts: 5))
    ///         .authenticating(with: source)
    ///         .timingOut(after: 30)
    /// )
    /// ```
    ///
    /// A request that has an `Authorization` of its own is sent as it is. No redirect takes a token to another
    /// origin.
    ///
    /// - Parameter source: Holds and refreshes the token. Transports with the same source share it.
    /// - Returns: A transport that wraps this one.
    public func authenticating(with source: TokenSource) -> some HTTPTransport {
        AuthTransport(base: self, origins: source.origins, refreshes: true) { refused in
            let refused = refused.map { String($0.dropFirst("Bearer ".count)) }
            return try await source.value(otherThan: refused).map { "Bearer \($0)" }
        }
    }

    /// Returns this transport with a user and a password for each request to an origin (Basic, RFC 7617).
    ///
    /// - Parameters:
    ///   - user: Without a colon, which would end it: with one, each request throws ``InvalidRequest``.
    ///   - password: Sent as UTF-8, and only encoded: over http anybody can read it.
    ///   - urls: Those whose scheme, host and port get them.
    /// - Returns: A transport that wraps this one.
    public func authenticating(user: String, password: String, for urls: URL...)
        -> some HTTPTransport
    {
        AuthTransport(base: self, origins: Set(urls.map(\.origin)), refreshes: false) { _ in
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidRequest(
                    .headerValue, "The user name of Basic credentials holds a colon.")
            }
            let code = Data("\(user):\(password)".utf8).base64EncodedString()
            return "Basic \(code)"
        }
    }
}
