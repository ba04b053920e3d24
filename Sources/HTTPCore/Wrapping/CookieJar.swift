// SPDX-License-Identifier: MIT

internal import Foundation

/// Cookies by the rules of RFC 6265, section 5: a value, without a clock of its own.
struct CookieJar: Sendable {
    /// The most cookies it holds.
    static let limit = 3_000
    /// From here on, a full jar drops a domain's own cookies first.
    private static let domainLimit = 50

    private(set) var cookies: [Cookie] = []

    /// Takes one `Set-Cookie` field (section 5.3).
    mutating func keep(_ field: String, from url: URL, now: Date) {
        guard var cookie = Cookie(field, from: url, now: now) else { return }
        if let index = cookies.firstIndex(where: { $0.isReplaced(by: cookie) }) {
            // A cookie that is set again keeps its place: the order of creation counts when it is sent.
            cookie.creation = cookies[index].creation
            cookies.remove(at: index)
        } else {
            cookie.creation = (cookies.map(\.creation).max() ?? 0) + 1
        }
        guard !cookie.isExpired(now) else { return }
        cookies.append(cookie)
        if cookies.count > Self.limit { evict(now) }
    }

    /// Makes room: expired cookies go first, then the oldest of a domain that has many, so that no server
    /// can push out what others set.
    private mutating func evict(_ now: Date) {
        cookies.removeAll { $0.isExpired(now) }
        guard cookies.count > Self.limit else { return }
        var counts: [String: Int] = [:]
        for cookie in cookies { counts[cookie.domain, default: 0] += 1 }
        let index = cookies.firstIndex { counts[$0.domain, default: 0] > Self.domainLimit }
        cookies.remove(at: index ?? cookies.startIndex)
    }

    /// The value of `Cookie` for a request (section 5.4): longer paths first, then older cookies.
    mutating func field(for url: URL, now: Date) -> String? {
        cookies.removeAll { $0.isExpired(now) }
        let matching = cookies.filter { $0.isSent(to: url) }
            .sorted { ($1.path.utf8.count, $0.creation) < ($0.path.utf8.count, $1.creation) }
        guard !matching.isEmpty else { return nil }
        return matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

/// One cookie, as its `Set-Cookie` field had it.
struct Cookie: Sendable, Equatable {
    let name: String
    let value: String
    private(set) var domain: String
    /// Whether only this very host gets it.
    private(set) var isHostOnly = true
    private(set) var path: String
    private(set) var isSecure = false
    /// Nil: until the jar goes.
    private(set) var expiry: Date?
    fileprivate(set) var creation = 0

    /// Reads a field (section 5.2); nil when the cookie is malformed or not this host's to set.
    init?(_ field: String, from url: URL, now: Date) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let host = url.host?.lowercased(), let pair = parts.first,
            let equals = pair.firstIndex(of: "=")
        else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty else { return nil }
        domain = host
        path = Self.defaultPath(of: url)
        var maximumAge: Int?
        var domainAttribute = ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? Self.trimmed(pair[1]) : ""
            switch Self.trimmed(pair[0]).lowercased() {
            case "expires": expiry = HTTPDate.parse(value) ?? expiry
            case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
            case "domain": domainAttribute = value.isEmpty ? domainAttribute : value
            case "path": path = value.hasPrefix("/") ? value : Self.defaultPath(of: url)
            case "secure": isSecure = true
            default: break
            }
        }
        guard setDomain(domainAttribute, host: host) else { return nil }
        if let maximumAge {
            expiry = maximumAge <= 0 ? .distantPast : now.addingTimeInterval(Double(maximumAge))
        }
        // Whoever can change http could set a cookie that https then trusts.
        if isSecure, url.scheme?.lowercased() != "https" { return nil }
    }

    func isReplaced(by other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
    }

    func isExpired(_ now: Date) -> Bool {
        expiry.map { $0 <= now } ?? false
    }

    func isSent(to url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        return (isHostOnly ? host == domain : Self.matches(host, domain: domain))
            && matches(path: Self.requestPath(of: url))
            && (!isSecure || url.scheme?.lowercased() == "https")
    }

    /// Whether the domain is one that the host may set a cookie for (section 5.3, steps 4 to 6).
    private mutating func setDomain(_ text: String, host: String) -> Bool {
        let text = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
        if text.isEmpty { return true }
        // A domain of one label is a public suffix, and an address has nothing below it: only the host
        // of that very name may name them.
        guard text.split(separator: ".").count > 1, !Self.isAddress(host) else {
            return text == host
        }
        guard Self.matches(host, domain: text) else { return false }
        domain = text
        isHostOnly = false
        return true
    }

    /// Section 5.1.3.
    ///
    /// An address is no domain name: it only matches itself.
    private static func matches(_ host: String, domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || !host.contains { $0.isLetter }
    }

    /// Section 5.1.4: the same path, or one below it.
    private func matches(path requestPath: String) -> Bool {
        guard requestPath.hasPrefix(path) else { return false }
        return requestPath.utf8.count == path.utf8.count || path.hasSuffix("/")
            || requestPath.dropFirst(path.count).first == "/"
    }

    private static func defaultPath(of url: URL) -> String {
        let path = requestPath(of: url)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The path as it is sent, its escapes kept.
    private static func requestPath(of url: URL) -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.isEmpty ? "/" : path
    }

    private static func seconds(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        // More digits than an Int holds are for ever, or long ago.
        return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}
