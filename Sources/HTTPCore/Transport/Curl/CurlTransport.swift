// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import Foundation

/// Sends requests with libcurl: the transport for Linux.
///
/// One thread and one pool of connections for each TLS setting that its requests ask for; they end with
/// the transport, once the last transfer has. HTTP/1.1, and HTTP/2 over TLS where the server has it. At
/// most 64 connections to a host and 256 in all; what is more waits. Connections that nothing uses are
/// closed after 60 seconds, once no transfer is under way.
///
/// Proxies are those that the environment names, as for `curl`: `https_proxy`, `http_proxy` and `all_proxy`,
/// with the exceptions in `no_proxy`.
///
/// Redirects and cookies are not its business: ``HTTPTransport/standard(cookies:)`` adds them.
public final class CurlTransport: HTTPTransport {
    /// The most pools for client identities; the one that was used longest ago goes first.
    private static let identitiesAtOnce = 8

    private let trust: ServerTrust
    private let pool: CurlPool
    private let identityPools = Locked<[(tls: TLSSettings, pool: CurlPool)]>([])

    /// Creates a transport.
    ///
    /// - Parameter trust: Whom to trust as a server.
    public init(trust: ServerTrust = .system) {
        self.trust = trust
        pool = CurlPool(TLSSettings(trust: trust))
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        if case .stream(let stream) = request.body, stream.length == 0 {
            // libcurl never asks for a body of length 0: this throws where it is not empty.
            try await stream.read { _ in }
        }
        return try await CurlTransfer(request, in: pool(for: request.options.identity)).answer()
    }

    /// A request with an identity never rides the connection of another, nor one without it.
    private func pool(for identity: ClientIdentity?) throws -> CurlPool {
        guard let identity else { return pool }
        guard !identity.pkcs12.isEmpty else {
            throw URLError(.clientCertificateRequired, saying: "The client certificate is empty.")
        }
        let tls = TLSSettings(trust: trust, identity: identity)
        return identityPools.withLock { pools in
            let index = pools.firstIndex { $0.tls == tls }
            let entry = index.map { pools.remove(at: $0) } ?? (tls: tls, pool: CurlPool(tls))
            if pools.count == Self.identitiesAtOnce { pools.removeFirst() }
            pools.append(entry)
            return entry.pool
        }
    }
}

/// The transport that this platform does best with.
typealias PlatformTransport = CurlTransport

/// The loop and connections of one TLS setting.
///
/// Kept by its transport and by each transfer until that
/// has ended: the loop stops with the last of them.
final class CurlPool: Sendable {
    let loop: CurlLoop

    init(_ tls: TLSSettings, idleSeconds: Int = 60) {
        loop = CurlLoop(tls, idleSeconds: idleSeconds)
    }

    deinit { loop.post(.stop) }
}
#endif
