// SPDX-License-Identifier: MIT

public import Foundation

/// A bearer token, and the way to a new one.
///
/// ```swift
/// let source = TokenSource(for: URL(string: "https://host")!) { _ in
///     let login: Login = try await API.shared.request(
///         url: "https://host/token",
///         method: .post,
///         body: .form(["refresh_token": savedToken()])
///     )
///     return BearerToken(login.token, expiry: Date() + login.lifetime)
/// }
/// ```
///
/// Each app or user has one of its own: nothing is shared but what holds the same source.
public final class TokenSource: Sendable {
    private typealias Refresh = Task<BearerToken, any Error>

    private struct State {
        var token: BearerToken?
        /// When a new one is fetched, a while before this one expires.
        var due = Date.distantFuture
        var refresh: Refresh?
        /// Counts what sets a token: a refresh that was overtaken doesn't.
        var generation = 0
    }

    /// Whose token is being fetched here: a request for that can't wait for it.
    @TaskLocal private static var refreshing: TokenSource?

    let origins: Set<String>
    private let renew: @Sendable (BearerToken?) async throws -> BearerToken
    private let now: @Sendable () -> Date
    private let state = Locked(State())

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - urls: Those whose scheme, host and port get the token, and nobody else.
    ///   - token: The one to start with, such as one that was saved.
    ///   - now: The time, for a test.
    ///   - renew: Returns a new token, given the old one, if any. One call at a time, until ``token`` is set, which
    ///     goes on when those that wait for it are cancelled; all of them throw what it throws, unless the old
    ///     token is still good, and the next request calls it again. Requests that it makes itself over the same
    ///     transport are sent without a token.
    public init(
        for urls: URL..., startingWith token: BearerToken? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        renew: @escaping @Sendable (BearerToken?) async throws -> BearerToken
    ) {
        (origins, self.now, self.renew) = (Set(urls.map(\.origin)), now, renew)
        self.token = token
    }

    /// The token as it is.
    ///
    /// Set it after a login, and to nil at a logout: a refresh that is under way then changes nothing.
    public var token: BearerToken? {
        get { state.withLock { $0.token } }
        set { set(newValue) }
    }

    private func set(_ token: BearerToken?, over generation: Int? = nil) {
        // Half a minute before it expires, or half of its life where that is short.
        let expiry = token?.expiry ?? .distantFuture
        let due = expiry - min(30, max(0, expiry.timeIntervalSince(now()) / 2))
        state.withLock { state in
            guard generation ?? state.generation == state.generation else { return }
            state = State(token: token, due: due, generation: state.generation + 1)
        }
    }

    /// A token that is good, and not the one that was refused; nil for what fetches it.
    func value(otherThan refused: String?) async throws -> String? {
        guard Self.refreshing !== self else { return nil }
        let now = now()
        let (old, refresh) = state.withLock { state -> (BearerToken?, Refresh?) in
            let (token, generation) = (state.token, state.generation)
            if let token, token.value != refused, state.due > now { return (token, nil) }
            let refresh = state.refresh ?? Task { try await self.refreshed(token, generation) }
            state.refresh = refresh
            return (nil, refresh)
        }
        guard let refresh else { return old?.value }
        // A stream, since waiting for a task can't be cancelled.
        let new = AsyncStream { waiter in
            Task {
                waiter.yield(await refresh.result)
                waiter.finish()
            }
        }
        for await it in new { return try ((try? it.get()) ?? good(but: refused) ?? it.get()).value }
        throw CancellationError()
    }

    /// The token that there is now, unless it has expired or was refused.
    private func good(but refused: String?) -> BearerToken? {
        token.flatMap { $0.value != refused && $0.expiry ?? .distantFuture > now() ? $0 : nil }
    }

    private func refreshed(_ old: BearerToken?, _ generation: Int) async throws -> BearerToken {
        do {
            let token = try await Self.$refreshing.withValue(self) { try await renew(old) }
            set(token, over: generation)
            return token
        } catch {
            state.withLock { if $0.generation == generation { $0.refresh = nil } }
            throw error
        }
    }
}

/// What a bearer token is, and until when.
public struct BearerToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// What is sent after `Bearer `.
    public let value: String
    /// When it is no longer good; nil: when a server says so.
    public let expiry: Date?

    /// Creates a token.
    public init(_ value: String, expiry: Date? = nil) {
        (self.value, self.expiry) = (value, expiry)
    }

    /// No more than that it is one.
    public var description: String { "BearerToken(\(Secrets.mask))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
