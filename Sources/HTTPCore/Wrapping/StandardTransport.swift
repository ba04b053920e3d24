// SPDX-License-Identifier: MIT

/// The stack that both styles use unless they are given another one.
///
/// Outward from the network, each for a reason:
///
/// 1. the terminal;
/// 2. logging, next to it, so that it sees every exchange;
/// 3. cookies, so that each attempt and each hop takes and gives them;
/// 4. retry, which repeats one hop and never the hops before it;
/// 5. redirects;
/// 6. the total limit, which covers all of them.
extension HTTPTransport {
    /// Returns this transport with logging, cookies, retry and redirects around it.
    ///
    /// Logging and retry sleep until a request's options wake them.
    ///
    /// - Parameter cookies: Whose cookies are sent and kept; by default this stack's own, in memory.
    /// - Returns: A transport that wraps this one.
    public func standard(cookies: CookiePolicy = .private) -> some HTTPTransport {
        let logged = LoggingTransport(base: self, write: StandardLog.write)
        let inner: any HTTPTransport =
            cookies.store.map { CookieTransport(base: logged, store: $0) } ?? logged
        return TimeoutTransport(base: RedirectTransport(base: RetryTransport(base: inner)))
    }
}

extension HTTPTransport where Self == DefaultTransport {
    /// The stack of the whole process: libcurl on Linux, `URLSession` on Apple's platforms, with shared
    /// connections and cookies.
    public static var `default`: DefaultTransport { DefaultTransport() }
}

/// The type of ``HTTPTransport/default``.
public struct DefaultTransport: HTTPTransport {
    private static let shared: any HTTPTransport = PlatformTransport().standard(cookies: .shared)

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Self.shared.send(request)
    }
}
