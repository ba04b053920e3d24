// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

/// Typed requests in one line each.
///
/// ```swift
/// let user: User = try await API.shared.request(
///     url: "https://host/users/{id}",
///     method: .get,
///     pathParams: ["id": "7"]
/// )
/// ```
///
/// The actor guards its settings only: a call takes one snapshot of them, and never encodes, decodes or
/// waits on the actor.
public actor API {
    /// The API of the whole process, over the default transport.
    public static let shared = API(transport: .default)

    struct Settings: Sendable {
        var persistDelay: TimeInterval = 0.5
        let decoder: JSONDecoder
        let failure: (any (Decodable & Error).Type)?
        var identity: ClientIdentity?
        /// Nil: every host that the app itself names.
        var identityHosts: Set<String>?
    }

    nonisolated let transport: any HTTPTransport
    private nonisolated let settings: Locked<Settings>

    /// Creates an API on a transport, which is used as it is.
    ///
    /// - Parameters:
    ///   - transport: Such as ``/HTTPCore/HTTPTransport/default``, or a stub.
    ///   - decoder: Reads every JSON answer; by default one that knows ISO 8601 dates. An encoder belongs
    ///     to a body: `jsonBody(_:encoder:)`.
    ///   - failure: What the server's JSON says when a call fails. It is thrown in place of the
    ///     ``/HTTPCore/HTTPStatusError``, unless the body does not decode as one.
    public init(
        transport: any HTTPTransport, decoder: JSONDecoder = .httpDefault,
        failure: (any (Decodable & Error).Type)? = nil
    ) {
        self.transport = transport
        settings = Locked(Settings(decoder: decoder, failure: failure))
    }

    /// Creates an API on a URLSession of its own, such as one whose `protocolClasses` answer by
    /// themselves.
    public init(testConfiguration: URLSessionConfiguration) {
        self.init(transport: URLSessionTransport(configuration: testConfiguration).standard())
    }

    /// Sets the wait before the first repeat of a call with `persistConnection`, in seconds.
    ///
    /// It doubles with each further one, and a random part of it is waited. By default 0.5.
    public func setPersistConnectionDelay(_ seconds: TimeInterval) {
        settings.withLock { $0.persistDelay = max(0, seconds) }
    }

    /// Shows servers that ask for one a client certificate (mutual TLS).
    ///
    /// The server is verified as before. A file that can't be read fails the calls that would show it.
    ///
    /// - Parameters:
    ///   - certData: The bytes of a PKCS#12 file: key, certificate and intermediates.
    ///   - password: What the file is encrypted with.
    ///   - hosts: The hosts to show it to, without scheme and port. Nil: every host that a call names, never
    ///     one that a redirect names.
    public func setupCertification(
        certData: Data, password: String = "", hosts: Set<String>? = nil
    ) {
        settings.withLock { settings in
            settings.identity = ClientIdentity(pkcs12: certData, password: password)
            settings.identityHosts = hosts.map { Set($0.map { $0.lowercased() }) }
        }
    }

    nonisolated var snapshot: Settings { settings.withLock { $0 } }

    // MARK: For the whole process

    private static let retries = Locked(3)
    private static let logs = Locked(true)

    /// How often a call with `persistConnection` is repeated at most.
    ///
    /// By default 3; never less than 0. The transport's budget bounds the repeats of all calls together: see
    /// ``/HTTPCore/RetryBudget``.
    public static var maxPersistRetries: Int {
        get { retries.withLock { $0 } }
        set { retries.withLock { $0 = max(0, newValue) } }
    }

    /// Whether calls write a log line each unless they say otherwise.
    ///
    /// True; one line switches an app off.
    public static var logsByDefault: Bool {
        get { logs.withLock { $0 } }
        set { logs.withLock { $0 = newValue } }
    }
}
