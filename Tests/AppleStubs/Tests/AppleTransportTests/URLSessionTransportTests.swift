// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Security
import Synchronization
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    // MARK: One session for each TLS setting

    @Test func requestsShareASessionOnlyWhereAllOfTheirSettingIsTheSame() throws {
        let transport = URLSessionTransport()
        let identity = makeIdentity(password: "one")
        let same = ClientIdentity(pkcs12: identity.pkcs12, password: "one")
        let other = makeIdentity(password: "one")
        let without = try transport.pool(for: nil)
        let with = try transport.pool(for: identity)
        #expect(try transport.pool(for: nil) === without)
        #expect(try transport.pool(for: same) === with)
        #expect(with !== without)
        #expect(try transport.pool(for: other) !== with)
        // Unpacked once, however many requests show it.
        #expect(StubSecurity.imports(of: identity.pkcs12).count == 1)
    }

    /// libcurl lets a wrong password pass while a connection with the same file lives.
    @Test func aWrongPasswordFailsThoughASessionWithTheSameFileLives() throws {
        let transport = URLSessionTransport()
        let identity = makeIdentity()
        _ = try transport.pool(for: identity)
        let wrong = ClientIdentity(pkcs12: identity.pkcs12, password: "wrong")
        let error = #expect(throws: URLError.self) { try transport.pool(for: wrong) }
        #expect(error?.code == .clientCertificateRejected)
    }

    @Test func aSessionEndsWithItsLastUser() throws {
        let identity = makeIdentity()
        var transport: URLSessionTransport? = URLSessionTransport()
        var user = try transport?.pool(for: identity)
        weak let pool = user
        weak let plain = try transport?.pool(for: nil)
        transport = nil
        #expect(plain == nil)
        // A transfer that is under way.
        #expect(pool != nil)
        #expect(user != nil)
        user = nil
        #expect(pool == nil)
    }

    @Test func atMostEightIdentitiesHaveASessionAtOnce() throws {
        let transport = URLSessionTransport()
        let identities = (0..<9).map { _ in makeIdentity() }
        for identity in identities.dropLast() { _ = try transport.pool(for: identity) }
        // The first is not the one that was used longest ago.
        weak let first = try transport.pool(for: identities[0])
        weak let second = try transport.pool(for: identities[1])
        for identity in identities.dropLast().dropFirst(2) { _ = try transport.pool(for: identity) }
        _ = try transport.pool(for: identities[0])
        _ = try transport.pool(for: identities[8])
        #expect(first != nil)
        #expect(second == nil)
    }

    // MARK: Errors come before anything is sent

    @Test func whatCanNotBeReadIsTheErrorOfTheRequest() async throws {
        let url = try #require(URL(string: "https://h.example/"))
        let cases: [(ServerTrust, ClientIdentity?, String)] = [
            (
                .system, ClientIdentity(pkcs12: Data("junk".utf8), password: "p"),
                "The client certificate is no readable PKCS#12 file."
            ),
            (.system, ClientIdentity(pkcs12: Data()), "The client certificate is empty."),
            (.roots(Data("junk".utf8)), nil, "The certificates to trust could not be read."),
        ]
        for (trust, identity, sentence) in cases {
            let transport = URLSessionTransport(trust: trust)
            let error = await #expect(throws: URLError.self) {
                var request = HTTPRequest(URLRequest(url: url))
                request.options.identity = identity
                _ = try await transport.send(request)
            }
            #expect(error?.localizedDescription == sentence)
        }
    }

    // MARK: A challenge and its task

    /// What the delegate tells the session, and what the request comes to: its own error, not the one
    /// that a cancelled challenge gives every task.
    @Test func aServerThatIsRefusedIsTheErrorOfTheRequestThatMetIt() async throws {
        let pool = URLSessionPool(
            .ephemeral, try TLSHandshake(TLSSettings(trust: .roots(Server.pem))))
        let server = SilentServer()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let request = HTTPRequest(URLRequest(url: url))
        let task = pool.session.dataTask(with: request.urlRequest)
        let transfer = URLSessionTransfer(
            request, url: url, body: try await URLSessionBody(.empty), task: task, in: pool)
        async let answer = transfer.pipe.answer { pool.delegate.begin(transfer) }
        while pool.delegate.transfer(task) == nil { await Task.yield() }
        let disposition = challenge(
            pool, task, Server.trust(systemSays: nil) { _, _ in errSecCertificateExpired })
        #expect(disposition == .cancelAuthenticationChallenge)
        do {
            _ = try await answer
            Issue.record("answered")
        } catch {
            let error = try #require(error as? URLError)
            #expect(error.code == .serverCertificateHasBadDate)
            #expect(error.localizedDescription == "The certificate of h.example has expired.")
            #expect(!error.requestMayHaveArrived)
        }
        withExtendedLifetime(server) {}
    }

    @Test func aServerThatIsTrustedGetsItsRequest() throws {
        let pool = URLSessionPool(
            .ephemeral, try TLSHandshake(TLSSettings(trust: .roots(Server.pem))))
        let url = try #require(URL(string: "https://h.example/"))
        let task = pool.session.dataTask(with: URLRequest(url: url))
        #expect(challenge(pool, task, Server.trust(systemSays: nil)) == .useCredential)
        task.cancel()
    }

    private func challenge(
        _ pool: URLSessionPool, _ task: URLSessionTask, _ server: SecTrust
    ) -> URLSession.AuthChallengeDisposition? {
        let challenge = URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "h.example", method: NSURLAuthenticationMethodServerTrust, trust: server),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: Nobody())
        var answer: URLSession.AuthChallengeDisposition?
        pool.delegate.urlSession(pool.session, task: task, didReceive: challenge) { given, _ in
            answer = given
        }
        return answer
    }
}

/// Takes connections and says nothing on them: a TLS handshake never ends.
private final class SilentServer {
    private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port: UInt16

    init() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let pointer else { return }
            bind(listener, pointer, size)
            listen(listener, 8)
            getsockname(listener, pointer, &size)
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(listener)
    }
}

/// A challenge has to have a sender, which no session asks.
private final class Nobody: NSObject, URLAuthenticationChallengeSender, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
