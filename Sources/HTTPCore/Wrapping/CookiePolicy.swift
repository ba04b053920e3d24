// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

/// Whose cookies a stack sends and keeps.
///
/// Those that come are kept by the rules of RFC 6265, in memory alone. There is no list of public suffixes:
/// a site can set a cookie for its own domain and for the domains above it, but for the last label. A
/// `Cookie` field of a request's own is sent in place of what is kept.
///
/// ```swift
/// for cookie in saved { CookiePolicy.shared.keep(cookie) }
/// try await API.shared.request(url: "https://host/visit", method: .post)
/// saved = CookiePolicy.shared.cookies
/// ```
public struct CookiePolicy: Sendable {
    let store: (any CookieStore)?

    /// None are sent, and those that come are ignored.
    public static let off = CookiePolicy(store: nil)

    /// A jar in memory that nobody else sees, new each time.
    ///
    /// Stacks that are made with the same one share it.
    public static var `private`: CookiePolicy { CookiePolicy(store: CookieJarStore()) }

    /// The process's own: `HTTPCookieStorage.shared` on Apple's platforms, elsewhere a jar in memory.
    public static let shared = CookiePolicy(store: SharedCookieStore())

    /// The cookies that are kept now, such as to save them.
    ///
    /// The domain of one that goes to hosts below it starts with a dot.
    public var cookies: [HTTPCookie] { store?.all ?? [] }

    /// Keeps a cookie as it is, such as one that was saved, in place of one with its name, domain and path.
    public func keep(_ cookie: HTTPCookie) {
        store?.keep(cookie)
    }

    /// Forgets all of them, such as when a user logs out.
    public func removeAll() {
        store?.removeAll()
    }
}

extension CookiePolicy: CustomReflectable {
    /// Nothing: a cookie is a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Cookie {
    /// Foundation's type; nil for what it can't express.
    var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: isHostOnly ? domain : "." + domain, .path: path,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if let expiry { properties[.expires] = expiry }
        return HTTPCookie(properties: properties)
    }
}
