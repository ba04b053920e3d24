// SPDX-License-Identifier: MIT

internal import Foundation

/// Keeps cookies for several requests at once.
protocol CookieStore: Sendable {
    /// The value of `Cookie` for a request, nil when there is none.
    func field(for url: URL) -> String?
    /// Keeps what `Set-Cookie` fields said.
    func keep(_ fields: [String], from url: URL)
    /// Keeps a cookie as it is.
    func keep(_ cookie: HTTPCookie)
    func removeAll()
    var all: [HTTPCookie] { get }
}

/// Sends cookies and keeps those that come (RFC 6265).
struct CookieTransport: Layer {
    let base: any HTTPTransport
    let store: any CookieStore

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let url = request.urlRequest.url else { return try await base.send(request) }
        var request = request
        // A `Cookie` field of the caller's own wins.
        if request.urlRequest.value(forHTTPHeaderField: "Cookie") == nil,
            let field = store.field(for: url)
        {
            request.urlRequest.setValue(field, forHTTPHeaderField: "Cookie")
        }
        let response = try await base.send(request)
        let fields = response.headers.values("Set-Cookie")
        if !fields.isEmpty { store.keep(fields, from: url) }
        return response
    }
}

/// A jar in memory.
struct CookieJarStore: CookieStore {
    private let jar = Locked(CookieJar())

    func field(for url: URL) -> String? {
        jar.withLock { $0.field(for: url, now: Date()) }
    }

    func keep(_ fields: [String], from url: URL) {
        jar.withLock { jar in
            for field in fields { jar.keep(field, from: url, now: Date()) }
        }
    }

    func keep(_ cookie: HTTPCookie) {
        jar.withLock { $0.keep(Cookie(cookie), now: Date()) }
    }

    func removeAll() {
        jar.withLock { $0 = CookieJar() }
    }

    var all: [HTTPCookie] {
        jar.withLock { jar in
            jar.removeExpired(Date())
            return jar.cookies.compactMap(\.httpCookie)
        }
    }
}
