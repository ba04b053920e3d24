// SPDX-License-Identifier: MIT

public import Foundation

/// A request as a transport sends it: a `URLRequest`, a body, and what is decided per call.
public struct HTTPRequest: Sendable {
    /// Method, URL, header fields and idle limit (`timeoutInterval`, seconds, fractions count).
    ///
    /// Its `httpBody` is not looked at again: ``body`` is what is sent. `Content-Length`,
    /// `Transfer-Encoding` and, with libcurl, `Expect` are the transport's business and left out; `Accept-Encoding` is the
    /// transport's too unless it is set.
    public var urlRequest: URLRequest
    /// What is sent after the head.
    public var body: RequestBody
    /// Called as the body is sent, one call at a time, never with less than before.
    ///
    /// Bytes of the answer cause no call.
    public var onUploadProgress: (@Sendable (UploadProgress) -> Void)?
    /// What the layers of the transport read, and nobody sends.
    public var options = Options()

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - urlRequest: Its own body is sent unless another is given.
    ///   - body: What to send instead.
    public init(_ urlRequest: URLRequest, body: RequestBody? = nil) {
        self.urlRequest = urlRequest
        self.body = body ?? RequestBody(of: urlRequest)
        // A change copies the request. On Linux it traps when there is no URL.
        let hasBody = urlRequest.httpBody != nil || urlRequest.httpBodyStream != nil
        if hasBody, urlRequest.url != nil { self.urlRequest.httpBody = nil }
    }

    /// How much of a body has been sent.
    public struct UploadProgress: Sendable, Hashable {
        /// How many bytes of the body have been sent.
        public let bytesSent: Int64
        /// Nil when the length of the body is not known.
        public let bytesInAll: Int64?

        /// From 0 to 1; nil when the length is not known.
        public var fraction: Double? {
            bytesInAll.map { $0 == 0 ? 1 : Double(bytesSent) / Double($0) }
        }
    }

    /// What is decided per call and read by the layers of a transport.
    ///
    /// Never sent.
    public struct Options: Sendable {
        /// Read the whole body before `send` returns, at most this many bytes.
        ///
        /// Nil: the body streams.
        public var collect: Int?
        /// The statuses of answers that stream all the same: a layer will read little of them, or collect
        /// them itself.
        var uncollected: Set<Int> = []
        /// Whether an answer that is no success streams too.
        var collectsSuccessesAlone = false
        /// How often the request may be sent in all.
        ///
        /// 1, the default: what the transport was made for by `retrying(_:)`, so no retry without it.
        public var attempts = 1
        /// The wait before the first repeat, in seconds.
        ///
        /// Doubled for each further one, then shortened at random. Nil: the retry policy's.
        public var retryDelay: TimeInterval?
        /// Which attempt this is, counted by the retry layer.
        var attempt = 1
        /// Write one line about each exchange.
        public var logs = false
        /// The most time for all of it, in seconds: redirects, repeats with their waits, and the body of the
        /// answer.
        public var totalTimeout: TimeInterval?
        /// When that time is over, by `TransferClock.uptime`: set once for all that a call sends.
        var deadline: TimeInterval?
        /// The most time for a new connection, in seconds.
        ///
        /// libcurl only.
        public var connectTimeout: TimeInterval?
        /// The client certificate to show a server that asks for one.
        ///
        /// A redirect to another origin does not take it along.
        public var identity: ClientIdentity?
        /// Header fields, beside the usual ones, that no log shows and no redirect to another origin
        /// carries.
        public var secretHeaders: Set<String> = []
        /// Follow a redirect from https to http, without body and credentials.
        ///
        /// Off: such a redirect is an error.
        public var allowsInsecureRedirects = false

        /// What layers tell those below them.
        var told: (any Sendable)?

        /// Creates options that switch nothing on.
        public init() {}
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// Method and URL, without a secret.
    public var description: String {
        "\(method) \(urlRequest.url?.maskingSecrets ?? "no URL")"
    }

    package var method: HTTPMethod { HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET") }

    /// Whether a header field of that name is a secret: never logged, never taken to another origin.
    func isSecret(_ name: String) -> Bool {
        Secrets.isSecretName(name) || options.secretHeaders.contains { sameFieldName($0, name) }
    }
}
