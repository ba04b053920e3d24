// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs where there is an nginx; `Scripts/test` installs it.
    static var needsNginx: Self {
        .enabled(if: NginxServer.isInstalled, "nginx is not installed")
    }
}

extension HTTPTransport {
    /// Sends a request, which has to succeed, and returns what nginx saw of it.
    func seen(_ url: URL, as identity: ClientIdentity? = nil) async throws -> NginxServer.Exchange {
        let response = try await send(.get(url) { $0.options.identity = identity })
        let data = try await response.data()
        try #require(response.status == 200, "\(String(decoding: data, as: UTF8.self))")
        return try JSONDecoder().decode(NginxServer.Exchange.self, from: data)
    }

    /// The error of a request, which has to fail.
    func refusal(_ url: URL, as identity: ClientIdentity? = nil) async throws -> URLError {
        let outcome = await outcome(.get(url) { $0.options.identity = identity })
        return try #require(outcome.urlError, "\(outcome)")
    }
}

extension ClientIdentity {
    /// The test client, by one of its files.
    static func of(
        _ file: TestCertificates.ClientFile = .full, password: String = TestCertificates.password
    ) throws -> ClientIdentity {
        ClientIdentity(pkcs12: try TestCertificates.shared().pkcs12(file), password: password)
    }
}

extension ServerTrust {
    /// Trust in the root of the test certificates and in nobody else.
    static var testRoot: ServerTrust {
        get throws { .roots(try TestCertificates.shared().root) }
    }
}

extension NginxServer.Site {
    /// Passes everything on to a server whose answers are scripted.
    static func passing(to backend: LoopbackServer, _ more: String = "") -> Self {
        let location = """
            proxy_http_version 1.1; proxy_buffering off; \(more)
            location ~ . { proxy_pass \(backend.url.absoluteString); }
            """
        return Self(directives: location)
    }
}

extension NginxServer {
    /// The access log, once it has so many lines: one is written after the answer has gone out.
    func exchanges(_ count: Int) async throws -> [Exchange] {
        for _ in 0..<500 where try exchanges.count < count {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        return try exchanges
    }
}
#endif
