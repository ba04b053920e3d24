// SPDX-License-Identifier: MIT

public import Foundation

/// The events of one answer, or of as many as it takes.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    fileprivate let limit: Int
    /// How often in a row to connect again without an event in between.
    fileprivate var reconnects = 0
    fileprivate var sleep: @Sendable (TimeInterval) async throws -> Void = { _ in }
    /// Gives an answer that goes on after the event of that identifier, nil when there are no more.
    fileprivate let connect: @Sendable (_ lastID: String) async throws -> HTTPResponse?

    public func makeAsyncIterator() -> Iterator {
        Iterator(events: self, parser: EventParser(limit: limit))
    }

    /// One pass over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let events: ServerSentEvents
        fileprivate var parser: EventParser
        fileprivate var lines: ResponseLines.Iterator?
        fileprivate var hasConnected = false
        fileprivate var isOver = false
        fileprivate var breaks = 0

        /// Returns the next event, nil when there are no more.
        ///
        /// - Throws: ``ResponseBodyError`` of kind `unexpectedType` when an answer is no
        ///   `text/event-stream`, and of kind `partTooLarge`; what sending and the body throw.
        public mutating func next() async throws -> ServerSentEvent? {
            // Unless an event comes, nothing follows.
            if exchange(&isOver, true) { return nil }
            while true {
                do {
                    if lines == nil, try await !connect() { return nil }
                    while let line = try await lines?.next() {
                        guard let event = try parser.add(line) else { continue }
                        (isOver, breaks) = (false, 0)
                        return event
                    }
                    if breaks >= events.reconnects { return nil }
                } catch is URLError where hasConnected && breaks < events.reconnects {
                    // The next connection may be a better one.
                }
                lines = nil
                parser.startOver()
                try await events.sleep(parser.wait(afterBreaks: breaks))
                breaks += 1
            }
        }

        private mutating func connect() async throws -> Bool {
            guard let response = try await events.connect(parser.lastID) else { return false }
            let type = response.headers["Content-Type"] ?? ""
            let essence = type.lowercased().prefix { $0 != ";" && $0 != " " }
            guard essence == ContentType.eventStream.rawValue else {
                throw ResponseBodyError(
                    .unexpectedType(type), status: response.status, url: response.url)
            }
            lines = response.lines(upTo: events.limit).makeAsyncIterator()
            hasConnected = true
            return true
        }
    }
}

extension HTTPResponse {
    /// The events of the body, as they come; see `events(upTo:)`.
    public var events: ServerSentEvents { events() }

    /// Reads the body as Server-Sent Events (WHATWG HTML, section 9.2).
    ///
    /// ```swift
    /// for try await event in response.events {
    ///     print(event.data)
    /// }
    /// ```
    ///
    /// An event is given as soon as the blank line after it is there; one without that, at the end, is none.
    ///
    /// - Parameter limit: The most bytes of a line, and of an event's data; what is longer is a
    ///   ``ResponseBodyError`` of kind `partTooLarge`.
    /// - Returns: The events of this answer, which can be read once. An answer that is no
    ///   `text/event-stream` makes the first one a ``ResponseBodyError`` of kind `unexpectedType`.
    public func events(upTo limit: Int = defaultPartLimit) -> ServerSentEvents {
        ServerSentEvents(limit: limit) { _ in self }
    }
}

extension HTTPTransport {
    /// Gives the events of a request's answer, and sends the request again when that ends or breaks off.
    ///
    /// ```swift
    /// let request = HTTPRequest(URLRequest(method: .get, url: url))
    /// for try await event in transport.events(for: request) {
    ///     print(event.id, event.data)
    /// }
    /// ```
    ///
    /// Each further request names the last event that came whole in `Last-Event-ID`. Before it, as many
    /// seconds pass as the server has asked for by `retry`, else 3, and twice as many after each further
    /// break without an event in between, up to a minute. An answer of status 204 is the end. A first
    /// connection that fails is an error at once, unless `options.attempts` says otherwise.
    ///
    /// - Parameters:
    ///   - request: What to send. Its idle limit finds connections that have died.
    ///   - reconnects: How often in a row to connect again without an event in between. Then the events end,
    ///     by the error if there was one.
    ///   - limit: The most bytes of a line, and of an event's data.
    ///   - sleep: Waits for so many seconds.
    /// - Returns: The events. Each pass over them sends the request anew. A status outside 200..<300 makes the
    ///   next one an ``HTTPStatusError``.
    public func events(
        for request: HTTPRequest, reconnects: Int = 10,
        upTo limit: Int = HTTPResponse.defaultPartLimit,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = {
            try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
        }
    ) -> ServerSentEvents {
        ServerSentEvents(limit: limit, reconnects: reconnects, sleep: sleep) { lastID in
            var request = request
            request.options.collect = nil
            request.urlRequest.setHeaderAccept(.eventStream)
            if !lastID.isEmpty {
                request.urlRequest.setValue(lastID, forHTTPHeaderField: "Last-Event-ID")
            }
            let response = try await send(request)
            return response.status == 204 ? nil : try await response.withSuccessStatus()
        }
    }
}
