// SPDX-License-Identifier: MIT

public import Foundation

/// A scripted HTTP/1.1 server on the loopback interface that records what it receives.
///
/// It sends the bytes it is told to, right or wrong, and parses requests strictly: what it does
/// not understand gets a 400 whose body says why.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/slow" ? Answer([.wait(gate), .text(response)]) : .json(#"{"id":1}"#)
/// }
/// let cut = try LoopbackServer(script: [
///     .cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456"), .text("better"),
/// ])
/// ```
///
/// The server stops when it is released; a handler must therefore not hold on to it.
public final class LoopbackServer: Sendable {
    private let core: Core

    /// The port, chosen by the system.
    public let port: Int
    /// The address as it is written in a URL: `127.0.0.1` or `[::1]`.
    public let host: String

    /// Starts a server that asks a handler about each request.
    ///
    /// The handler runs on the thread of the connection and may block it. It is called when the
    /// body has been read, or right after the head for the targets that `answersEarly` accepts.
    ///
    /// - Parameters:
    ///   - ipv6: Whether to listen on `::1` and not on `127.0.0.1`.
    ///   - onAccept: What to do on the nth connection before its first request is read; nothing
    ///     on the connections after those. `[[.close], []]` closes the first without a byte.
    ///   - answersEarly: Whether a request for this target is answered before its body is read.
    ///   - recordsRequests: Whether `requests` has them; of very many, it would fill the memory.
    ///   - handler: Returns the answer to a request.
    /// - Throws: The system's error when no socket is to be had.
    public init(
        ipv6: Bool = false,
        onAccept: [[Step]] = [],
        answersEarly: @escaping @Sendable (String) -> Bool = { _ in false },
        recordsRequests: Bool = true,
        handler: @escaping @Sendable (Request) -> Answer
    ) throws {
        let listener = try Socket.listening(ipv6: ipv6)
        do {
            port = try listener.port()
            host = ipv6 ? "[::1]" : "127.0.0.1"
            core = Core(
                wakeup: try Wakeup(),
                onAccept: onAccept,
                answersEarly: answersEarly,
                recordsRequests: recordsRequests,
                handler: handler
            )
        } catch {
            listener.abandon()
            throw error
        }
        core.start(listener)
    }

    /// Starts a server that gives the nth answer to the nth request; the last answer repeats.
    ///
    /// Requests are counted over all connections, in the order their heads were read.
    public convenience init(
        ipv6: Bool = false,
        onAccept: [[Step]] = [],
        script: [Answer]
    ) throws {
        let count = Guarded(0)
        // The answers are known without the bodies, so each can say itself when its body is read.
        let next: @Sendable (Request) -> Answer = { _ in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return index < script.count
                ? script[index] : script.last ?? .text("empty script", status: 500)
        }
        try self.init(
            ipv6: ipv6,
            onAccept: onAccept,
            answersEarly: { _ in true },
            handler: next
        )
    }

    deinit {
        stop()
    }

    /// The root of the server, such as `http://127.0.0.1:49152`.
    public var url: URL {
        url("")
    }

    /// The URL of a path and query, which are taken as they are.
    public func url(_ pathAndQuery: String) -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(pathAndQuery)") else {
            preconditionFailure("not a path and query: \(pathAndQuery)")
        }
        return url
    }

    /// What arrived so far, in order.
    ///
    /// Requests whose head was read, and whose body was if it is read first. Later steps that read
    /// more of the body change the record.
    public var requests: [Request] {
        core.state.withLock { $0.requests }
    }

    /// How many connections were accepted.
    public var acceptCount: Int {
        core.state.withLock { $0.accepts }
    }

    /// How many connections the server has not closed, nor seen the client close.
    public var openConnections: Int {
        core.state.withLock { $0.open }
    }

    /// How many bytes were read from all connections, heads and framing included.
    public var bytesReceived: Int {
        core.state.withLock { $0.bytes }
    }

    /// How many bytes the system took to send on all connections, heads included.
    public var bytesSent: Int {
        core.state.withLock { $0.sent }
    }

    /// Waits until at least this many requests are recorded; false if that takes too long.
    public func waitForRequests(_ count: Int, timeout: TimeInterval = 30) async -> Bool {
        await core.wait(timeout: timeout) { $0.requests.count >= count }
    }

    /// Waits until at least this many connections were accepted; false if that takes too long.
    public func waitForAccepts(_ count: Int, timeout: TimeInterval = 30) async -> Bool {
        await core.wait(timeout: timeout) { $0.accepts >= count }
    }

    /// Waits until exactly this many connections are open; false if that takes too long.
    public func waitForOpenConnections(_ count: Int, timeout: TimeInterval = 30) async -> Bool {
        await core.wait(timeout: timeout) { $0.open == count }
    }

    /// Waits until at least this many bytes were read; false if that takes too long.
    public func waitForBytes(_ count: Int, timeout: TimeInterval = 30) async -> Bool {
        await core.wait(timeout: timeout) { $0.bytes >= count }
    }

    /// Waits until at least this many bytes were sent; false if that takes too long.
    public func waitForBytesSent(_ count: Int, timeout: TimeInterval = 30) async -> Bool {
        await core.wait(timeout: timeout) { $0.sent >= count }
    }

    /// Closes the listener and all connections and waits for their threads to end.
    ///
    /// Does nothing the second time. A handler that blocks delays this by one second at most.
    public func stop() {
        core.stop()
    }

    /// Returns a port of `127.0.0.1` that refuses connections.
    ///
    /// It stays bound, but not listening, until the process ends: a port that was merely closed
    /// could be given to the server of a test that runs at the same time.
    public static func closedPort() throws -> Int {
        try refusing.get()
    }

    private static let refusing = Result { try Socket.bound(ipv6: false).port() }
}
