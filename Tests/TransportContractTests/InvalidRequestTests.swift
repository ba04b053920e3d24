// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// O-38 and its kin: what can't be sent as it is, is not sent at all.
@Suite(.timeLimit(.minutes(5)))
struct InvalidRequestTests {
    private func expect(
        _ kind: InvalidRequest.Kind, of request: HTTPRequest, over subject: Subject,
        _ server: LoopbackServer, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for reading in Reading.allCases {
            let outcome = await subject.transport().outcome(request, reading)
            let error = outcome.error as? InvalidRequest
            #expect(error?.kind == kind, "\(outcome)", sourceLocation: sourceLocation)
        }
        #expect(server.acceptCount == 0, sourceLocation: sourceLocation)
    }

    @Test(
        arguments: Subject.all,
        [
            "relative", "/path", "http:///path", "http://", "file:///etc/hosts", "ftp://127.0.0.1/",
            "data:text/plain,a", "mailto:a@b", "HTTPX://127.0.0.1/", "ws://127.0.0.1/",
        ])
    func urlThatIsNoHTTPURL(_ subject: Subject, text: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = try #require(URL(string: text))
        await expect(.url, of: .get(url), over: subject, server)
    }

    @Test(arguments: Subject.all)
    func requestWithoutURL(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.get(server.url) { $0.urlRequest.url = nil }
        await expect(.url, of: request, over: subject, server)
    }

    @Test(
        arguments: Subject.all,
        [
            "GE T", "GET\r\nX-Injected: 1", "G\0", "GET /x HTTP/1.1\r\nA: b\r\n\r\n", "G\u{C9}T",
            "(a)",
        ])
    func methodThatIsNoToken(_ subject: Subject, method: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.get(server.url("/")) { $0.urlRequest.httpMethod = method }
        // Foundation may put another method in the place of one it does not like.
        guard request.urlRequest.httpMethod == method else { return }
        await expect(.method, of: request, over: subject, server)
    }

    @Test(
        arguments: Subject.all,
        ["X B", "X\r\nX-Injected", "X\0B", "", "X:", "X\u{C9}", "X\tY", " X", "X-Injected: 1\r\nX"])
    func headerNameThatIsNoToken(_ subject: Subject, name: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.get(server.url("/")) {
            $0.urlRequest.allHTTPHeaderFields = [name: "v"]
        }
        guard request.urlRequest.allHTTPHeaderFields?.isEmpty == false else { return }
        await expect(.headerName, of: request, over: subject, server)
    }

    @Test(
        arguments: Subject.all,
        ["v\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "\r\n", "a\r\n b", "\u{1F600}\r\n"])
    func headerValueThatEndsItsLine(_ subject: Subject, value: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        // `setValue` drops such a field on Linux without a word.
        let request = HTTPRequest.get(server.url("/")) {
            $0.urlRequest.allHTTPHeaderFields = ["X-A": value]
        }
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-A") == value)
        await expect(.headerValue, of: request, over: subject, server)
    }

    @Test(arguments: Subject.all)
    func errorDoesNotTellTheValue(_ subject: Subject) async throws {
        let request = HTTPRequest.get(try #require(URL(string: "http://127.0.0.1:1/"))) {
            $0.urlRequest.allHTTPHeaderFields = ["Authorization": "hush\r\n"]
        }
        let error = await subject.transport().outcome(request).error as? InvalidRequest
        #expect(error?.description.contains("Authorization") == true)
        #expect(error?.description.contains("hush") == false)
    }

    @Test(arguments: Subject.all)
    func headWithABody(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = HTTPRequest.make(.head, server.url("/"), .data(Data("a".utf8)))
        await expect(.body, of: request, over: subject, server)
    }

    /// No limit, however odd, ends the process.
    @Test(
        arguments: Subject.all,
        [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1, 0, 1e-300])
    func oddLimitsAreHarmless(_ subject: Subject, limit: Double) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = subject.transport()
        let request = HTTPRequest.get(server.url("/")) {
            $0.idleLimit = limit
            $0.options.connectTimeout = limit
        }
        let outcome = await transport.outcome(request)
        // 1e-300 may be too short; the rest stands for no limit.
        #expect(outcome.text == "ok" || outcome.urlError?.code == .timedOut)
        let total = HTTPRequest.get(server.url("/")) { $0.options.totalTimeout = limit }
        let second = await transport.outcome(total)
        #expect(second.text == "ok" || second.urlError?.code == .timedOut)
        #expect(try await transport.text(server.url("/")) == "ok")
    }
}
