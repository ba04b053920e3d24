// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Foundation

/// The cookies that the app's other uses of URLSession share.
struct SharedCookieStore: CookieStore {
    func field(for url: URL) -> String? {
        let cookies = HTTPCookieStorage.shared.cookies(for: url) ?? []
        return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
    }

    func keep(_ fields: [String], from url: URL) {
        for field in fields {
            let cookies = HTTPCookie.cookies(
                withResponseHeaderFields: ["Set-Cookie": field], for: url)
            HTTPCookieStorage.shared.setCookies(cookies, for: url, mainDocumentURL: nil)
        }
    }

    func keep(_ cookie: HTTPCookie) {
        HTTPCookieStorage.shared.setCookie(cookie)
    }

    func removeAll() {
        for cookie in all { HTTPCookieStorage.shared.deleteCookie(cookie) }
    }

    var all: [HTTPCookie] { HTTPCookieStorage.shared.cookies ?? [] }
}
#endif
