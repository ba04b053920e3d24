// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// Client certificates, shown to a real nginx.
@Suite(.needsNginx, .timeLimit(.minutes(5)))
struct ClientCertificateTests {
    private let ann = "CN=\(TestCertificates.clientName)"

    @Test(arguments: [(true, "HTTP/2.0"), (false, "HTTP/1.1")])
    func theServerSeesTheCertificate(http2: Bool, version: String) async throws {
        let server = try NginxServer(.init(clients: .required, speaksHTTP2: http2))
        let seen = try await CurlTransport(trust: .testRoot).seen(server.url(), as: .of())
        #expect(seen.client == ann)
        #expect(seen.version == version)
    }

    // O-48
    @Test func theEncryptionsOfTodayAreRead() async throws {
        let server = try NginxServer(.init(clients: .required))
        let transport = CurlTransport(trust: try .testRoot)
        for file in [TestCertificates.ClientFile.full, .tripleDES] {
            #expect(try await transport.seen(server.url(), as: .of(file)).client == ann)
        }
    }

    // O-49: the server trusts the root alone, so it needs the intermediate too.
    @Test func withoutItsIntermediateTheCertificateIsRefused() async throws {
        let nginx = try NginxServer(.init(clients: .required))
        let transport = CurlTransport(trust: try .testRoot)
        #expect(try await transport.seen(nginx.url(), as: .of(.full)).client == ann)
        let answer = await transport.outcome(
            .get(nginx.url()) { $0.options.identity = try? .of(.leafOnly) })
        // nginx says it in HTTP.
        #expect(answer.status == 400)

        let openssl = try OpenSSLServer()
        let full = await transport.outcome(.get(openssl.url) { $0.options.identity = try? .of() })
        #expect(full.status == 200, "\(full)")
        let error = try await transport.refusal(openssl.url, as: .of(.leafOnly))
        #expect(error.code == .clientCertificateRejected, "\(error)")
        #expect(error.localizedDescription.contains("localhost refused the client certificate"))
    }

    @Test func aServerThatMissesTheCertificateSaysSo() async throws {
        let transport = CurlTransport(trust: try .testRoot)
        let nginx = try NginxServer(.init(clients: .required))
        #expect(await transport.outcome(.get(nginx.url())).status == 400)
        let openssl = try OpenSSLServer()
        let error = try await transport.refusal(openssl.url)
        #expect(error.code == .clientCertificateRequired, "\(error)")
        #expect(error.localizedDescription.contains("localhost wants a client certificate"))
    }

    // O-48
    @Test func filesThatCannotBeReadFailInFourWays() async throws {
        let server = try NginxServer(.init(clients: .required))
        let transport = CurlTransport(trust: try .testRoot)
        let full = try TestCertificates.shared().pkcs12()
        let secret = "Pa55-that-is-wrong"
        let files: [(ClientIdentity, URLError.Code, words: String)] = [
            (
                ClientIdentity(pkcs12: full, password: secret), .clientCertificateRejected,
                "password"
            ),
            (ClientIdentity(pkcs12: full), .clientCertificateRejected, "password"),
            (try .of(.rc2), .clientCertificateRejected, "encrypted in an old way (RC2)"),
            (
                ClientIdentity(pkcs12: Data("junk".utf8), password: secret),
                .clientCertificateRejected, "no readable PKCS#12 file"
            ),
            (
                ClientIdentity(pkcs12: full.dropLast(9), password: secret),
                .clientCertificateRejected, "no readable PKCS#12 file"
            ),
            (ClientIdentity(pkcs12: Data(), password: secret), .clientCertificateRequired, "empty"),
        ]
        var sentences: Set<String> = []
        for (identity, code, words) in files {
            let error = try await transport.refusal(server.url("/unread"), as: identity)
            #expect(error.code == code, "\(error)")
            #expect(error.localizedDescription.contains(words))
            #expect(!error.requestMayHaveArrived)
            sentences.insert(error.localizedDescription)
            for text in ["\(error)", "\(error.userInfo)", "\(identity)", userMessage(for: error)] {
                #expect(!text.contains(secret) && !text.contains(TestCertificates.password))
            }
        }
        #expect(sentences.count == 4)
        // Nothing of it reached the server, which is well.
        #expect(try await transport.seen(server.url("/read"), as: .of()).target == "/read")
        #expect(try server.exchanges.allSatisfy { $0.target == "/read" })
    }

    @Test(arguments: [
        (TestCertificates.Server.wrongHost, URLError.Code.serverCertificateUntrusted),
        (.unknownRoot, .serverCertificateHasUnknownRoot),
        (.expired, .serverCertificateHasBadDate),
    ])
    func theServerIsVerifiedAsBefore(
        _ certificate: TestCertificates.Server, _ code: URLError.Code
    ) async throws {
        let server = try NginxServer(.init(certificate, clients: .required))
        let error = try await CurlTransport(trust: .testRoot).refusal(server.url(), as: .of())
        #expect(error.code == code, "\(error)")
        #expect(try server.exchanges.isEmpty)
    }

    @Test(arguments: [true, false])
    func nobodyElseRidesTheConnectionOfAnIdentity(http2: Bool) async throws {
        let server = try NginxServer(.init(clients: .welcome, speaksHTTP2: http2))
        let transport = CurlTransport(trust: try .testRoot)
        let first = try await transport.seen(server.url(), as: .of())
        #expect(first.client == ann)

        let none = try await transport.seen(server.url())
        let other = try await transport.seen(server.url(), as: .of(.other))
        let again = try await transport.seen(server.url(), as: .of(.tripleDES))
        #expect(none.client == "")
        #expect(other.client == "CN=Bob Other")
        #expect(again.client == ann)
        #expect(Set([first, none, other, again].map(\.connection)).count == 4)

        // The right bytes with a wrong password: libcurl by itself would take the open connection.
        let error = try await transport.refusal(server.url(), as: .of(password: "wrong"))
        #expect(error.localizedDescription.contains("password"))

        // All are still open, and each has its own.
        for (identity, before) in [
            (try .of(), first), (nil, none), (try .of(.other), other),
            (try .of(.tripleDES), again),
        ] as [(ClientIdentity?, NginxServer.Exchange)] {
            let now = try await transport.seen(server.url(), as: identity)
            #expect(now.connection == before.connection)
            #expect(now.client == before.client)
            #expect(now.number == 2)
        }
    }

    @Test(arguments: [true, false])
    func aRedirectTakesTheIdentityToTheSameOriginAlone(http2: Bool) async throws {
        let site = NginxServer.Site(clients: .welcome, speaksHTTP2: http2)
        let server = try NginxServer(site, site)
        let transport = CurlTransport(trust: try .testRoot).standard()
        func followed(_ target: URL) async throws -> NginxServer.Exchange {
            try await transport.seen(
                server.url("/redirect?to=\(target.absoluteString)"), as: .of())
        }
        #expect(try await followed(server.url("/same")).client == ann)
        for target in [server.url("/port", site: 1), server.url("/host", host: "127.0.0.1")] {
            let seen = try await followed(target)
            #expect(seen.client == "")
            #expect(seen.target == target.path)
        }
    }

    /// A transport keeps eight pools for identities at most; one that goes still ends what it has begun.
    @Test func aBodyOutlivesThePoolOfItsIdentity() async throws {
        let gate = Gate()
        let backend = try LoopbackServer { _ in
            .init([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), .wait(gate), .text("two"),
            ])
        }
        let server = try NginxServer(.passing(to: backend), .init(clients: .required))
        let transport = CurlTransport(trust: try .testRoot)
        // Silent meanwhile, for as long as this process takes for eight handshakes.
        let response = try await transport.send(
            .get(server.url()) {
                $0.options.identity = try? .of()
                $0.idleLimit = 240
            })
        for identity in try Self.identities(8) {
            #expect(try await transport.seen(server.url(site: 1), as: identity).client == ann)
        }
        gate.open()
        #expect(try await response.data() == Data("onetwo".utf8))
    }

    /// The same client by so many settings.
    private static func identities(_ count: Int) throws -> [ClientIdentity] {
        let file = try TestCertificates.shared().pkcs12()
        // What follows the file itself is not read.
        return (0..<count).map {
            ClientIdentity(
                pkcs12: file + Data("\($0)".utf8), password: TestCertificates.password)
        }
    }

    /// O-45: what an identity needs goes with its transport, and never grows without bound before that.
    @Test func poolsOfIdentitiesGoWithTheirTransport() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let server = try NginxServer(.init(clients: .required))
                func use(_ count: Int) async throws {
                    let transport = CurlTransport(trust: try .testRoot)
                    for identity in try Self.identities(count) {
                        _ = try await transport.seen(server.url(), as: identity)
                    }
                    #expect(try await settles { threadsOfLibcurl() <= 9 })
                }
                try await use(2)
                #expect(try await settles { threadsOfLibcurl() == 0 })
                // The first sleep of a process opens a descriptor for all of them.
                try await Task.sleep(nanoseconds: 1_000_000)
                let descriptors = openDescriptors()
                try await use(20)
                #expect(try await settles { threadsOfLibcurl() == 0 })
                #expect(try await settles { openDescriptors() <= descriptors })
            }
        }
    }
}

/// Looks again and again for up to half a minute: nothing says when a thread has ended.
private func settles(_ isMet: () -> Bool) async throws -> Bool {
    for _ in 0..<3_000 where !isMet() { try await Task.sleep(nanoseconds: 10_000_000) }
    return isMet()
}

private func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
}

private func threadsOfLibcurl() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
            .hasPrefix("Duet libcurl") == true
    }
}
#endif
