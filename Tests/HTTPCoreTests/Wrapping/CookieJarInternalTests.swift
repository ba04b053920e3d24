// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

/// The rules of RFC 6265, section 5, each as a table.
struct CookieJarInternalTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func jar(_ fields: String..., from: String) throws -> CookieJar {
        var jar = CookieJar()
        for field in fields {
            jar.keep(field, from: try #require(URL(string: from)), now: Self.now)
        }
        return jar
    }

    private func sent(_ jar: CookieJar, to url: String, after seconds: Double = 0) throws -> String?
    {
        var jar = jar
        return jar.field(
            for: try #require(URL(string: url)),
            now: Self.now.addingTimeInterval(seconds)
        )
    }

    // Section 5.1.3, and section 5.3, steps 4 to 6.
    @Test(arguments: [
        // Host-only: this very host.
        ("a=1", "http://example.com/", "http://example.com/", true),
        ("a=1", "http://example.com/", "http://EXAMPLE.com/", true),
        ("a=1", "http://example.com/", "http://www.example.com/", false),
        ("a=1", "http://www.example.com/", "http://example.com/", false),
        // With a domain: it and what is below it.
        ("a=1; Domain=example.com", "http://example.com/", "http://example.com/", true),
        ("a=1; Domain=example.com", "http://example.com/", "http://www.example.com/", true),
        ("a=1; Domain=example.com", "http://www.example.com/", "http://example.com/", true),
        ("a=1; Domain=example.com", "http://www.example.com/", "http://b.a.example.com/", true),
        ("a=1; Domain=.Example.COM", "http://www.example.com/", "http://shop.example.com/", true),
        ("a=1; Domain=example.com", "http://example.com/", "http://badexample.com/", false),
        ("a=1; Domain=example.com", "http://example.com/", "http://example.com.evil.net/", false),
        // Not this host's to set.
        ("a=1; Domain=www.example.com", "http://example.com/", "http://www.example.com/", false),
        ("a=1; Domain=other.net", "http://example.com/", "http://other.net/", false),
        ("a=1; Domain=xample.com", "http://example.com/", "http://example.com/", false),
        // A domain of one label is everybody's.
        ("a=1; Domain=com", "http://example.com/", "http://example.com/", false),
        ("a=1; Domain=.com", "http://example.com/", "http://other.com/", false),
        ("a=1; Domain=com.", "http://example.com./", "http://other.com./", false),
        ("a=1; Domain=localhost", "http://localhost/", "http://localhost/", true),
        ("a=1; Domain=localhost", "http://localhost/", "http://www.localhost/", false),
        // An empty domain is ignored; of several, the last counts.
        ("a=1; Domain=", "http://example.com/", "http://example.com/", true),
        ("a=1; Domain", "http://example.com/", "http://www.example.com/", false),
        (
            "a=1; Domain=example.com; Domain=", "http://example.com/", "http://www.example.com/",
            true
        ),
        (
            "a=1; Domain=other.net; Domain=example.com", "http://example.com/",
            "http://example.com/", true
        ),
        (
            "a=1; Domain=example.com; Domain=other.net", "http://example.com/",
            "http://example.com/", false
        ),
        (
            "a=1; Domain=example.com; Domain=www.example.com", "http://www.example.com/",
            "http://example.com/", false
        ),
    ])
    func domainsMatch(field: String, from: String, to: String, isSent: Bool) throws {
        #expect(try sent(jar(field, from: from), to: to) == (isSent ? "a=1" : nil))
    }

    // Section 5.1.3: an address is no host name, so it matches itself alone.
    @Test(arguments: [
        ("a=1", "http://127.0.0.1/", "http://127.0.0.1/", true),
        ("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", true),
        ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", false),
        ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://9.0.0.1/", false),
        ("a=1", "http://[::1]/", "http://[::1]/", true),
        ("a=1; Domain=0.1", "http://[::ffff:127.0.0.1]/", "http://[::ffff:127.0.0.1]/", false),
        ("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://x.127.0.0.1/", false),
    ])
    func addressesMatchThemselves(field: String, from: String, to: String, isSent: Bool) throws {
        #expect(try sent(jar(field, from: from), to: to) == (isSent ? "a=1" : nil))
    }

    // Section 5.1.4.
    @Test(arguments: [
        ("/", "/", true), ("/", "/a/b", true), ("/a", "/a", true), ("/a", "/a/", true),
        ("/a", "/a/b", true), ("/a", "/ab", false), ("/a", "/", false), ("/a/", "/a/b", true),
        ("/a/", "/a", false), ("/a/", "/a/", true), ("/a", "/A", false), ("/a", "/a?q=/b", true),
        ("/a%2Fb", "/a%2Fb/c", true), ("/a%2Fb", "/a/b", false),
    ])
    func pathsMatch(path: String, requested: String, isSent: Bool) throws {
        let jar = try jar("a=1; Path=\(path)", from: "http://h.net/x/y")
        #expect(try sent(jar, to: "http://h.net\(requested)") == (isSent ? "a=1" : nil))
    }

    // Section 5.1.4: the path of a cookie that names none, or none that starts with a slash.
    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b?c=/d/e", "/a"),
        ("/a/b/c/", "/a/b/c"), ("/a%2Fb/c", "/a%2Fb"),
    ])
    func theDefaultPathIsTheDirectory(requested: String, path: String) throws {
        for field in ["a=1", "a=1; Path=", "a=1; Path=b/c", "a=1; Path"] {
            #expect(try jar(field, from: "http://h.net\(requested)").cookies.map(\.path) == [path])
        }
    }

    @Test func ofSeveralPathsTheLastCounts() throws {
        let jar = try jar("a=1; Path=/x; path=/y", from: "http://h.net/")
        #expect(jar.cookies.map(\.path) == ["/y"])
    }

    // Section 5.4, step 1.
    @Test(arguments: [
        ("a=1; Secure", "https://h.net/", "https://h.net/", true),
        ("a=1; Secure", "https://h.net/", "http://h.net/", false),
        ("a=1; SECURE", "https://h.net/", "http://h.net/", false),
        ("a=1; Secure=no", "https://h.net/", "http://h.net/", false),
        ("a=1", "https://h.net/", "http://h.net/", true),
        ("a=1", "http://h.net/", "https://h.net/", true),
        ("a=1; HttpOnly; SameSite=Strict", "http://h.net/", "http://h.net/", true),
        // Whoever can change http could set it.
        ("a=1; Secure", "http://h.net/", "https://h.net/", false),
    ])
    func aSecureCookieGoesOverHTTPSAlone(
        field: String,
        from: String,
        to: String,
        isSent: Bool
    ) throws {
        #expect(try sent(jar(field, from: from), to: to) == (isSent ? "a=1" : nil))
    }

    // Section 5.2.1, section 5.2.2 and section 5.3, step 3: how long it lives, in seconds; nil: with the jar.
    @Test(
        arguments: [
            ("a=1", nil), ("a=1; Max-Age=10", 10), ("a=1; max-age = 10 ", 10),
            ("a=1; Expires=Fri, 15 Jan 2027 08:00:10 GMT", 10),
            ("a=1; Expires=Friday, 15-Jan-27 08:00:10 GMT", 10),
            // Max-Age wins over Expires, in either order.
            ("a=1; Max-Age=20; Expires=Fri, 15 Jan 2027 08:00:10 GMT", 20),
            ("a=1; Expires=Fri, 15 Jan 2027 08:00:10 GMT; Max-Age=20", 20),
            ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=20", 20),
            // What can't be read is ignored.
            ("a=1; Max-Age=", nil), ("a=1; Max-Age=1x", nil), ("a=1; Max-Age=+10", nil),
            ("a=1; Max-Age=1.5", nil), ("a=1; Max-Age=-", nil), ("a=1; Expires=tomorrow", nil),
            ("a=1; Max-Age=junk; Expires=Fri, 15 Jan 2027 08:00:10 GMT", 10),
            ("a=1; Expires=Fri, 15 Jan 2027 08:00:10 GMT; Expires=junk", 10),
            // Of several, the last counts.
            ("a=1; Max-Age=10; Max-Age=30", 30),
        ] as [(String, Double?)]
    )
    func aCookieLivesUntilItsExpiry(field: String, seconds: Double?) throws {
        let jar = try jar(field, from: "http://h.net/")
        let url = "http://h.net/"
        #expect(try sent(jar, to: url) == "a=1")
        guard let seconds else {
            #expect(try sent(jar, to: url, after: 1e9) == "a=1")
            return
        }
        #expect(try sent(jar, to: url, after: seconds - 1) == "a=1")
        #expect(try sent(jar, to: url, after: seconds) == nil)
    }

    @Test func anAgeOfMoreDigitsThanANumberHoldsIsForEver() throws {
        let jar = try jar("a=1; Max-Age=99999999999999999999999", from: "http://h.net/")
        #expect(try sent(jar, to: "http://h.net/", after: 1e9) == "a=1")
    }

    @Test(arguments: [
        "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=x; Max-Age=0", "a=x; Max-Age=-1",
        "a=x; Max-Age=-99999999999999999999999",
        "a=x; Max-Age=0; Expires=Fri, 15 Jan 2037 08:00:10 GMT",
    ])
    func aPastDateDeletesACookie(field: String) throws {
        let jar = try jar("a=1", "b=2", field, from: "http://h.net/")
        #expect(try sent(jar, to: "http://h.net/") == "b=2")
    }

    // Section 5.3, step 11: the same name, domain and path are the same cookie.
    @Test func aCookieThatIsSetAgainKeepsItsPlace() throws {
        let jar = try jar("a=1", "b=2", "a=3", from: "http://h.net/")
        #expect(try sent(jar, to: "http://h.net/") == "a=3; b=2")
    }

    @Test func anotherNamePathOrDomainIsAnotherCookie() throws {
        let jar = try jar(
            "a=1",
            "A=2",
            "a=3; Path=/x",
            "a=4; Domain=h.net",
            from: "http://www.h.net/"
        )
        #expect(jar.cookies.count == 4)
        #expect(try sent(jar, to: "http://www.h.net/x") == "a=3; a=1; A=2; a=4")
    }

    // Section 5.4, step 2.
    @Test func longerPathsGoFirstThenOlderCookies() throws {
        let jar = try jar(
            "a=1; Path=/",
            "b=2; Path=/x/y",
            "c=3; Path=/x",
            "d=4; Path=/",
            "e=5; Path=/x/y",
            from: "http://h.net/"
        )
        #expect(try sent(jar, to: "http://h.net/x/y/z") == "b=2; e=5; c=3; a=1; d=4")
    }

    // Section 5.2.
    @Test(
        arguments: [
            ("a=1", "a=1"), (" a = 1 ; Path=/", "a=1"), ("a=", "a="), ("a=b=c", "a=b=c"),
            ("a=\"q\"", "a=\"q\""), ("a=1;;; ; Path=/", "a=1"), ("a=1, b=2", "a=1, b=2"),
            ("__Host-a=x y", "__Host-a=x y"), ("a=1; Unknown=x; Path=/", "a=1"),
            ("a", nil), ("", nil), ("=1", nil), (" =1", nil), ("; a=1", nil),
            // A sign is a sign, whatever is combined with it.
            ("a=\u{301}x", "a=\u{301}x"), ("b=\u{200D}y", "b=\u{200D}y"),
            ("c=5;\u{200D}Path=/nowhere", "c=5"), ("d=6; \u{301}; Path=/", "d=6"),
        ] as [(String, String?)]
    )
    func aFieldIsReadAsItsNameAndValue(field: String, pair: String?) throws {
        #expect(try sent(jar(field, from: "http://h.net/"), to: "http://h.net/") == pair)
    }

    // O-36: the dates hold commas.
    @Test func expiryDatesAreReadWithTheirCommas() throws {
        let jar = try jar(
            "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/",
            "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/",
            from: "http://h.net/"
        )
        #expect(
            jar.cookies.map(\.expiry) == [
                Date(timeIntervalSince1970: 1_924_992_000),
                Date(timeIntervalSince1970: 1_925_078_400),
            ]
        )
    }

    // Section 5.3, at the end: expired ones go first, then what was used the longest ago.
    @Test func aDomainThatHasTooManyLosesItsOwnAlone() throws {
        var jar = try jar("a=1", from: "http://h.net/")
        let flood = try #require(URL(string: "http://flood.net/"))
        for number in 0..<CookieJar.domainLimit {
            jar.keep("c\(number)=1; Path=/\(number)", from: flood, now: Self.now)
        }
        #expect(jar.cookies.count == CookieJar.domainLimit + 1)
        // The first is used, so the second is now the oldest.
        let first = try #require(URL(string: "http://flood.net/0"))
        #expect(jar.field(for: first, now: Self.now) == "c0=1")
        jar.keep("new=1; Max-Age=5", from: flood, now: Self.now)
        jar.keep("newer=1", from: flood, now: Self.now)
        #expect(jar.cookies.count == CookieJar.domainLimit + 1)
        let names = Set(jar.cookies.map(\.name))
        #expect(names.isSuperset(of: ["a", "c0", "new", "newer", "c3"]))
        #expect(names.isDisjoint(with: ["c1", "c2"]))
        // One that has expired makes room before one that lives.
        jar.keep("newest=1", from: flood, now: Self.now.addingTimeInterval(5))
        let later = Set(jar.cookies.map(\.name))
        #expect(later.isSuperset(of: ["a", "c0", "c3", "newer", "newest"]))
        #expect(!later.contains("new"))
    }

    @Test func aFullJarDropsWhatWasUsedTheLongestAgo() throws {
        var jar = try jar("a=1", "b=2", from: "http://h.net/")
        let used = try #require(URL(string: "http://h.net/"))
        for number in 0..<CookieJar.limit - 2 {
            let url = try #require(URL(string: "http://h\(number).net/"))
            jar.keep("c=1", from: url, now: Self.now)
        }
        #expect(jar.cookies.count == CookieJar.limit)
        _ = jar.field(for: used, now: Self.now)
        jar.keep("d=1", from: try #require(URL(string: "http://new.net/")), now: Self.now)
        #expect(jar.cookies.count == CookieJar.limit)
        #expect(try sent(jar, to: "http://h.net/") == "a=1; b=2")
        #expect(try sent(jar, to: "http://h0.net/") == nil)
        #expect(try sent(jar, to: "http://h1.net/") == "c=1")
    }

    // Section 6.1: at least 4,096 bytes of a cookie are kept.
    @Test func aCookieThatIsTooLongIsIgnored() throws {
        let value = String(repeating: "v", count: Cookie.sizeLimit - 1)
        let jar = try jar("a=\(value)", "b=\(value)v", from: "http://h.net/")
        #expect(jar.cookies.map(\.name) == ["a"])
    }

    @Test func anAttributeThatIsTooLongIsIgnored() throws {
        let path = "/" + String(repeating: "p", count: Cookie.attributeLimit)
        let jar = try jar("a=1; Path=\(path)", from: "http://h.net/x/y")
        #expect(jar.cookies.map(\.path) == ["/x"])
    }

    // It would make each request that it goes with an invalid one.
    @Test(arguments: ["a=1\u{0}2", "a=1\r2", "a\u{1B}=1", "a=1; Path=/\u{7F}"])
    func aCookieWithAControlCharacterIsIgnored(field: String) throws {
        #expect(try jar(field, from: "http://h.net/").cookies.isEmpty)
    }

    @Test(arguments: [
        "a=1", "a=1; Domain=h.net; Path=/x; Secure; Max-Age=60", "a=; Path=/",
        "a=\"q\"; Domain=www.h.net",
    ])
    func foundationsTypeKeepsWhatACookieIs(field: String) throws {
        let cookie = try #require(try jar(field, from: "https://www.h.net/").cookies.first)
        let copy = Cookie(try #require(cookie.httpCookie))
        var other = CookieJar()
        other.keep(copy, now: Self.now)
        #expect(other.cookies == [cookie])
    }
}
