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
/// 6. authentication, for an app that adds it: it acts on the answer of the last hop, by what it knows of the
///    first;
/// 7. the total limit, which covers all of them.
extension HTTPTransport {
    /// Returns this transport with logging, cookies, retry and redirects around it.
    ///
    /// Logging and retry sleep until a request's options wake them.
    ///
    /// - Parameter cookies: Whose cookies are sent and kept; by default this stack's own, in memory.
    /// - Returns: A transport that wraps this one.
    public func standard(cookies: CookiePolicy = .private) -> some HTTPTransport {
        var stack = holding { LoggingTransport(base: $0) }
        if let store = cookies.store { stack = CookieTransport(base: stack, store: store) }
        stack = stack.holding { RetryTransport(base: $0) }
        return TimeoutTransport(base: RedirectTransport(base: stack))
    }
}

extension HTTPTransport where Self == DefaultTransport {
    /// The stack of the whole process: libcurl on Linux, `URLSession` on Apple's platforms, with shared
    /// connections and cookies.
    public static var `default`: DefaultTransport { DefaultTransport() }
}

/// The type of ``HTTPTransport/default``.
public struct DefaultTransport: HTTPTransport, Layer {
    private static let shared: any HTTPTransport = PlatformTransport().standard(cookies: .shared)
    var base: any HTTPTransport { Self.shared }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await base.send(request)
    }
}
