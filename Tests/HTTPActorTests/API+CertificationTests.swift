// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPActor
import TestSupport
import Testing

/// `setupCertification`, with a real nginx that wants a certificate.
@Suite(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(5)))
struct APICertificationTests {
    private let certificates: TestCertificates
    private let api: API
    private let ann = "CN=\(TestCertificates.clientName)"

    init() throws {
        certificates = try .shared()
        api = API(transport: CurlTransport(trust: .roots(try certificates.root)).standard())
    }

    private func setUp(
        _ file: TestCertificates.ClientFile = .full, password: String = TestCertificates.password,
        hosts: Set<String>? = nil
    ) async throws {
        await api.setupCertification(
            certData: try certificates.pkcs12(file), password: password, hosts: hosts)
    }

    private func seen(_ url: URL) async throws -> NginxServer.Exchange {
        try await api.request(url: url.absoluteString, method: .get, debug: false)
    }

    @Test(arguments: [(true, "HTTP/2.0"), (false, "HTTP/1.1")])
    func theCertificateIsShownToTheHostsOfCalls(http2: Bool, version: String) async throws {
        let server = try NginxServer(.init(clients: .required, speaksHTTP2: http2))
        try await setUp()
        for host in ["localhost", "127.0.0.1"] {
            let seen = try await seen(server.url(host: host))
            #expect(seen.client == ann)
            #expect(seen.version == version)
        }
    }

    @Test func theCertificateIsShownToTheGivenHostsAlone() async throws {
        let server = try NginxServer(.init(clients: .welcome))
        try await setUp(hosts: ["LocalHost"])
        #expect(try await seen(server.url(host: "localhost")).client == ann)
        #expect(try await seen(server.url(host: "127.0.0.1")).client == "")
    }

    /// Not even one that calls name too.
    @Test func theCertificateIsNotShownWhereARedirectLeads() async throws {
        let site = NginxServer.Site(clients: .welcome)
        let server = try NginxServer(site, site)
        try await setUp(hosts: ["localhost"])
        let target = server.url("/there", site: 1)
        #expect(try await seen(server.url("/redirect?to=\(target)")).client == "")
        #expect(try await seen(target).client == ann)
    }

    @Test func anotherCertificateTakesThePlaceOfTheFirst() async throws {
        let server = try NginxServer(.init(clients: .required))
        try await setUp()
        let first = try await seen(server.url())
        try await setUp(.other)
        let second = try await seen(server.url())
        #expect([first.client, second.client] == [ann, "CN=Bob Other"])
        #expect(first.connection != second.connection)
    }

    /// Each call fails in words that say why, and none of them has the password.
    @Test func aFileThatCannotBeReadFailsTheCall() async throws {
        let server = try NginxServer(.init(clients: .welcome))
        try await setUp(password: "not-the-password")
        let error = await #expect(throws: URLError.self) { try await seen(server.url()) }
        #expect(error?.code == .clientCertificateRejected)
        let sentence = try #require(error?.localizedDescription)
        #expect(sentence == "The password of the client certificate is wrong.")
        #expect(try server.exchanges.isEmpty)
    }
}
#endif
