// SPDX-License-Identifier: MIT

internal import Foundation

/// Follows redirects (RFC 9110, section 15.4), so that every transport does it the same way.
struct RedirectTransport: Layer {
    /// The most redirects of one request.
    static let limit = 20

    let base: any HTTPTransport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // What is below sends the body once more, for one reason or another.
        let uncollected = request.options.uncollected
        var request = request.withRisingProgress
        request.options.leaveUncollected(Redirect.statuses)
        for hop in 0...Self.limit {
            do {
                let response = try await base.send(request)
                guard let next = try Redirect(of: request, by: response)?.request else {
                    request.options.uncollected = uncollected
                    var last = try await response.collected(for: request)
                    last.isRedirected = last.isRedirected || hop > 0
                    return last
                }
                await response.drain()
                try Task.checkCancellation()
                guard request.options.hasTime(for: 0, now: TransferClock.uptime()) else {
                    throw failure(.timedOut, "The time was up before a redirect was followed.")
                }
                request = next
            } catch let error as URLError where hop > 0 {
                throw error.whereRequestMayHaveArrived()
            }
        }
        throw failure(.httpTooManyRedirects, "There were more than \(Self.limit) redirects.")
    }
}

/// What a redirect makes of a request: a pure value.
struct Redirect {
    static let statuses: Set = [301, 302, 303, 307, 308]

    private(set) var request: HTTPRequest

    /// Reads an answer as a redirect, nil when it is none.
    ///
    /// - Throws: `URLError` when the target is one that is never followed.
    init?(of request: HTTPRequest, by response: HTTPResponse) throws {
        guard Self.statuses.contains(response.status),
            let location = response.headers.values("Location").first, !location.isEmpty,
            let url = request.urlRequest.url,
            let target = Self.target(location, from: url)
        else { return nil }
        self.request = request
        self.request.urlRequest.url = target
        rewriteMethod(response.status)
        try leaveOrigin(url, for: target)
    }

    /// The location seen from the current URL, whose fragment it keeps (RFC 9110, section 10.2.2).
    private static func target(_ location: String, from url: URL) -> URL? {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL else { return nil }
        guard target.fragment == nil, let fragment = url.fragment else { return target }
        return URL(string: "\(target.absoluteString)#\(fragment)") ?? target
    }

    /// 301 and 302 turn POST into GET, 303 all but HEAD; 307 and 308 repeat the request as it was.
    private mutating func rewriteMethod(_ status: Int) {
        let method = request.method
        let becomesGet =
            status == 303 ? method != .head : (status == 301 || status == 302) && method == .post
        guard becomesGet, method != .get else { return }
        request.urlRequest.httpMethod = HTTPMethod.get.rawValue
        dropBody()
    }

    private mutating func dropBody() {
        request.body = .empty
        for name in request.urlRequest.allHTTPHeaderFields?.keys ?? [:].keys
        where name.lowercased().hasPrefix("content-") || sameFieldName(name, "Transfer-Encoding") {
            request.urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// Leaves credentials behind where the origin changes.
    private mutating func leaveOrigin(_ url: URL, for target: URL) throws {
        let scheme = target.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw failure(
                .unsupportedURL, "The server redirected to a \(target.scheme ?? "foreign") URL.")
        }
        do {
            try RequestValidation.check(target)
        } catch {
            // A transport would call the request invalid, and so say that nothing was sent.
            throw failure(
                .badServerResponse, "The server redirected to what can't be requested. \(error)")
        }
        guard target.origin != url.origin else { return }
        request.options.identity = nil
        for name in request.urlRequest.allHTTPHeaderFields?.keys ?? [:].keys
        where request.isSecret(name) || sameFieldName(name, "Host") {
            request.urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
        guard scheme == "http", url.scheme?.lowercased() == "https" else { return }
        guard request.options.allowsInsecureRedirects else {
            throw failure(
                .appTransportSecurityRequiresSecureConnection,
                "The server redirected from https to http, which is not followed.")
        }
        dropBody()
    }
}

/// An answer has come, so the request has arrived.
private func failure(_ code: URLError.Code, _ sentence: String) -> URLError {
    URLError(code, saying: sentence, requestMayHaveArrived: true)
}
