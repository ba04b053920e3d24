// SPDX-License-Identifier: MIT

public import Foundation

/// An answer whose status is not the one that was asked for, by default one outside 200..<300.
///
/// As an `NSError`, its `code` is the status, `localizedDescription` a sentence to show a person, and
/// `localizedFailureReason` the body, pretty-printed when it is JSON.
///
/// > Important: On Linux the compiler takes `catch let error as NSError` for exhaustive, but only a
/// > real `NSError` such as this one gets there: never let it be the last clause.
///
/// `@unchecked Sendable`: every stored property is a constant, and `NSError` is immutable.
public final class HTTPStatusError: NSError, @unchecked Sendable {
    /// The domain of this error as an `NSError`.
    public static let errorDomain = "Duet.HTTPStatusError"
    /// The most bytes of a body that are kept: 64 KiB.
    public static let bodyLimit = 65_536

    /// The status code, which is the `code` too.
    public let status: Int
    /// The header fields of the answer.
    public let headers: HTTPFields
    /// The URL that answered, its query included.
    public let url: URL
    /// The first ``bodyLimit`` bytes of the body, as sent.
    ///
    /// It may hold secrets.
    public let body: Data

    /// Creates an error from what the server answered.
    public init(status: Int, headers: HTTPFields, url: URL, body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = Data(body.prefix(Self.bodyLimit))
        let sentence = Self.sentence(status: status, headers: headers, body: body)
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if !body.isEmpty {
            userInfo[NSLocalizedFailureReasonErrorKey] = Self.prettyPrinted(self.body)
        }
        super.init(domain: Self.errorDomain, code: status, userInfo: userInfo)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Status and URL, the query left out: fit for a log.
    public override var description: String {
        "HTTPStatusError: \(status) \(Self.reason(status)), \(url.withoutQuery)"
    }

    public override var debugDescription: String { description }

    private static func reason(_ status: Int) -> String {
        HTTPURLResponse.localizedString(forStatusCode: status)
    }

    /// What an RFC 9457 problem has for people (section 3.1), a secret masked, else a sentence made of the status.
    private static func sentence(status: Int, headers: HTTPFields, body: Data) -> String {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        let isProblem = type.hasPrefix(ContentType.problemJSON.rawValue)
        let json = isProblem ? try? JSONSerialization.jsonObject(with: body) : nil
        let words = ["title", "detail"].compactMap { (json as? [String: Any])?[$0] as? String }
        let text = words.filter { !$0.isEmpty }.joined(separator: ": ")
        return text.isEmpty
            ? "The server answered: \(reason(status)) (\(status))." : Secrets.masked(text)
    }

    static func prettyPrinted(_ body: Data) -> String {
        let json = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed,
        ]
        let pretty = json.flatMap {
            try? JSONSerialization.data(withJSONObject: $0, options: options)
        }
        return String(decoding: pretty ?? body, as: UTF8.self)
    }
}

extension HTTPResponse {
    /// Reads as much of the body as a status error keeps.
    package func start() async throws -> Data {
        var start = Data()
        for try await chunk in body {
            start += chunk
            if start.count >= HTTPStatusError.bodyLimit { break }
        }
        return start
    }

    /// The answer, if its status is a success.
    ///
    /// - Throws: ``HTTPStatusError`` for any other, or what reading its body throws.
    package func withSuccessStatus() async throws -> HTTPResponse {
        if (200..<300).contains(status) { return self }
        throw HTTPStatusError(status: status, headers: headers, url: url, body: try await start())
    }
}
