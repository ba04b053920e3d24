// SPDX-License-Identifier: MIT

internal import Foundation

/// Cookies by the rules of RFC 6265, section 5: a value, without a clock of its own.
struct CookieJar: Sendable {
    /// The most cookies it holds, and of one domain.
    static let limit = 3_000
    static let domainLimit = 180

    private(set) var cookies: [Cookie] = []
    /// Counts what happens, in place of a clock that two cookies could share a moment of.
    private var moment = 0

    /// Takes one `Set-Cookie` field (section 5.3).
    mutating func keep(_ field: String, from url: URL, now: Date) {
        if let cookie = Cookie(field, from: url, now: now) { keep(cookie, now: now) }
    }

    /// Takes a cookie, in place of one with its name, domain and path.
    mutating func keep(_ cookie: Cookie, now: Date) {
        var cookie = cookie
        moment += 1
        (cookie.creation, cookie.lastUse) = (moment, moment)
        if let index = cookies.firstIndex(where: { $0.isReplaced(by: cookie) }) {
            // A cookie that is set again keeps its place: the order of creation counts when it is sent.
            cookie.creation = cookies.remove(at: index).creation
        }
        guard !cookie.isExpired(now) else { return }
        cookies.append(cookie)
        makeRoom(for: cookie, now)
    }

    /// Drops expired cookies first, then those that were used the longest ago, of the domain that has too
    /// many or else of all: so no server can push out what others set.
    private mutating func makeRoom(for cookie: Cookie, _ now: Date) {
        func excess() -> [Cookie] {
            let same = cookies.filter { $0.domain == cookie.domain }
            if same.count > Self.domainLimit { return same }
            return cookies.count > Self.limit ? cookies : []
        }
        if !excess().isEmpty { removeExpired(now) }
        let oldest = excess().min { ($0.lastUse, $0.creation) < ($1.lastUse, $1.creation) }
        if let oldest { cookies.removeAll { $0.creation == oldest.creation } }
    }

    mutating func removeExpired(_ now: Date) {
        cookies.removeAll { $0.isExpired(now) }
    }

    /// The value of `Cookie` for a request (section 5.4): longer paths first, then older cookies.
    mutating func field(for url: URL, now: Date) -> String? {
        removeExpired(now)
        moment += 1
        var matching: [Cookie] = []
        for index in cookies.indices where cookies[index].isSent(to: url) {
            cookies[index].lastUse = moment
            matching.append(cookies[index])
        }
        guard !matching.isEmpty else { return nil }
        matching.sort { ($1.path.utf8.count, $0.creation) < ($0.path.utf8.count, $1.creation) }
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
    fileprivate(set) var lastUse = 0

    /// The most bytes of a name with its value, and of an attribute; what is longer is ignored, so that no
    /// server fills the memory, or a request's head.
    static let sizeLimit = 4_096
    static let attributeLimit = 1_024

    /// Takes Foundation's as it is: whoever has one may keep it.
    init(_ cookie: HTTPCookie) {
        (name, value, path) = (cookie.name, cookie.value, cookie.path)
        isHostOnly = !cookie.domain.hasPrefix(".")
        domain = String(cookie.domain.drop { $0 == "." }).lowercased()
        (isSecure, expiry) = (cookie.isSecure, cookie.expiresDate)
    }

    /// Reads a field (section 5.2); nil when the cookie is malformed or not this host's to set.
    init?(_ field: String, from url: URL, now: Date) {
        // By scalars: a sign that something is combined with is another character.
        let parts = field.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false)
        guard let host = url.host?.lowercased(), let pair = parts.first,
            let equals = pair.firstIndex(of: "=")
        else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Self.trimmed(pair[pair.index(after: equals)...])
        // One with a control character would make each request that it goes with an invalid one.
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.sizeLimit,
            !field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        domain = host
        path = Self.defaultPath(of: url)
        var maximumAge: TimeInterval?
        var domainAttribute = ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? Self.trimmed(pair[1]) : ""
            guard value.utf8.count <= Self.attributeLimit else { continue }
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
        if let maximumAge { expiry = maximumAge <= 0 ? .distantPast : now + maximumAge }
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

    /// More digits than a number holds are for ever, or long ago.
    private static func seconds(_ text: String) -> TimeInterval? {
        let isNumber = text.range(of: "^-?[0-9]+$", options: .regularExpression) != nil
        return isNumber ? TimeInterval(text) : nil
    }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        Substring(text).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}
