// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPCore
import TestSupport
import Testing

/// The proxies that the environment names are used, as `curl` does it.
///
/// Each test sets the environment of a process of its own, before any other thread reads it.
@Suite(.needsNginx, .enabled(if: ProxyServer.isInstalled), .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let variables = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]

    private func set(_ environment: [String: String]) {
        for name in Self.variables {
            unsetenv(name)
            unsetenv(name.uppercased())
        }
        for (name, value) in environment { setenv(name, value, 1) }
    }

    /// Says whether a request came by a proxy.
    private func origin() throws -> LoopbackServer {
        try LoopbackServer { request in
            let credentials = request.values("Proxy-Authorization")
            return .text((request.values("Via") + credentials).joined(separator: ","))
        }
    }

    @Test func plainRequestsGoByTheProxy() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let (proxy, origin) = (try ProxyServer(), try tests.origin())
                tests.set(["http_proxy": "http://127.0.0.1:\(proxy.port)"])
                for terminal in Terminal.all {
                    let text = try await terminal.make().text(origin.url("/a?b=c"))
                    #expect(text.contains("tinyproxy"), "\(terminal.name): \(text)")
                }
                #expect(origin.requests.allSatisfy { $0.target == "/a?b=c" })
                #expect(proxy.requests.first == "GET \(origin.url("/a?b=c")) HTTP/1.1")
                // As often as it is used: a connection to a proxy is one like any other.
                let transport = CurlTransport()
                for _ in 0..<5 { _ = try await transport.text(origin.url("/")) }
            }
        }
    }

    /// Nothing of a request is for the proxy's eyes, and the server is verified as ever.
    @Test func secureRequestsGoThroughATunnel() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let (proxy, origin) = (try ProxyServer(), try NginxServer(.init()))
                tests.set(["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"])
                let url = origin.url("/a")
                let trusting = CurlTransport(trust: try .testRoot)
                #expect(try await trusting.seen(url).target == "/a")
                let error = try await CurlTransport().refusal(url)
                #expect(error.code == .serverCertificateHasUnknownRoot)
                // The proxy was asked, the server was not.
                #expect(!error.requestMayHaveArrived)
                let tunnel = "CONNECT localhost:\(url.port ?? 0) HTTP/1.1"
                #expect(proxy.requests == [tunnel, tunnel])
            }
        }
    }

    @Test func whatIsExceptedGoesDirect() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let (proxy, origin) = (try ProxyServer(), try tests.origin())
                let url = "http://127.0.0.1:\(proxy.port)"
                let exceptions = [
                    ["http_proxy": url, "no_proxy": "example.com,127.0.0.1"],
                    ["http_proxy": url, "no_proxy": "*"], ["https_proxy": url], ["http_proxy": ""],
                    // "httpoxy": a client's `Proxy` field is this variable of a CGI program.
                    ["HTTP_PROXY": url],
                ]
                for environment in exceptions {
                    tests.set(environment)
                    for terminal in Terminal.all {
                        let text = try await terminal.make().text(origin.url("/"))
                        #expect(text == "", "\(terminal.name) \(environment)")
                    }
                }
                #expect(proxy.requests == [])
            }
        }
    }

    @Test func credentialsOfTheProxyStayWithIt() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let (proxy, origin) = (try ProxyServer("BasicAuth ann s3cret"), try tests.origin())
                let transport = CurlTransport()
                tests.set(["http_proxy": "http://ann:s3cret@127.0.0.1:\(proxy.port)"])
                let text = try await transport.text(origin.url("/"))
                #expect(text.contains("tinyproxy") && !text.contains("Basic"), "\(text)")
                tests.set(["http_proxy": "http://127.0.0.1:\(proxy.port)"])
                #expect(try await transport.send(.get(origin.url("/"))).status == 407)
            }
        }
    }

    /// Nothing that the caller says to the server is said to the proxy.
    @Test func tunnelThatIsRefusedIsAnError() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let proxy = try LoopbackServer { _ in .respond(403, body: "no tunnels") }
                tests.set(["https_proxy": "http://127.0.0.1:\(proxy.port)"])
                let url = try #require(URL(string: "https://secret.test/path?token=s3cret"))
                let request = HTTPRequest.make(.post, url, .data(Data("s3cret".utf8))) {
                    $0.set("Authorization", "Bearer s3cret")
                    $0.set("Cookie", "sid=s3cret")
                }
                let error = await CurlTransport().outcome(request).urlError
                #expect(error?.code == .cannotConnectToHost)
                let sentence = error?.localizedDescription ?? ""
                #expect(sentence.contains("proxy") && sentence.contains("secret.test"))
                #expect(sentence.contains("403"))
                #expect(error?.requestMayHaveArrived == false)
                let seen = proxy.requests
                #expect(seen.map(\.target) == ["secret.test:443"])
                #expect(!seen.contains { $0.fields.contains { $0.value.contains("s3cret") } })
            }
        }
    }

    @Test func proxyThatIsNotThereIsAnError() async throws {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let tests = ProxyTests()
                let origin = try tests.origin()
                for (proxy, code) in [
                    (
                        "http://127.0.0.1:\(try LoopbackServer.closedPort())",
                        URLError.Code.cannotConnectToHost
                    ),
                    ("http://proxy.invalid:3128", .cannotFindHost),
                ] {
                    tests.set(["http_proxy": proxy])
                    let error = await CurlTransport().outcome(.get(origin.url("/"))).urlError
                    #expect(error?.code == code)
                    #expect(error?.requestMayHaveArrived == false)
                }
                #expect(origin.acceptCount == 0)
            }
        }
    }
}
#endif
