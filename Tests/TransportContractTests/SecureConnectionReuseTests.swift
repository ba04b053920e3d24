// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// What an earlier exchange on a connection with TLS must not do to a later one.
@Suite(.needsNginx, .timeLimit(.minutes(5)))
struct SecureConnectionReuseTests {
    /// Bytes that come while nobody uses the connection are no part of the next answer.
    @Test(.enabled(if: NginxServer.hasStreams, "nginx has no stream module"))
    func lateExcessBytesAreNobodysAnswer() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/first"
                ? LoopbackServer.Answer([
                    .text(answer), .wait(gate),
                    .text(answer.replacingOccurrences(of: "ok", with: "no")),
                ])
                : .text(request.path)
        }
        let front = try NginxServer(takingTLSOffFor: server)
        let transport = CurlTransport(trust: try .testRoot)
        #expect(try await transport.text(front.url("/first")) == "ok")
        gate.open()
        try #require(await unreadBytesCome(from: front.url()))
        #expect(try await transport.text(front.url("/next")) == "/next")
        #expect(server.acceptCount == 2)
        // Where nothing has come, the connection is used again.
        #expect(try await transport.text(front.url("/again")) == "/again")
        #expect(server.acceptCount == 2)
    }

    /// Nor are those that come with the answer's last bytes: the TLS library has them, not the socket.
    @Test(.enabled(if: NginxServer.hasStreams, "nginx has no stream module"))
    func excessBytesInTheLastRecordAreNobodysAnswer() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/first"
                ? LoopbackServer.Answer([.text(head), .wait(gate), .text("ok\(head)no")])
                : .text(request.path)
        }
        let front = try NginxServer(takingTLSOffFor: server)
        let transport = CurlTransport(trust: try .testRoot)
        let first = try await transport.send(HTTPRequest(URLRequest(url: front.url("/first"))))
        gate.open()
        #expect(try await first.data() == Data("ok".utf8))
        #expect(try await transport.text(front.url("/next")) == "/next")
        #expect(server.acceptCount == 2)
    }

    /// Whether the system holds bytes for a connection to this server that nobody has read.
    private func unreadBytesCome(from url: URL) async -> Bool {
        let remote = String(format: ":%04X", url.port ?? 0)
        for _ in 0..<2_000 {
            // Read to its end: as a file it has no size, of which Foundation takes the first page.
            let file = FileHandle(forReadingAtPath: "/proc/self/net/tcp")
            let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
            let isThere = table.split(separator: "\n").dropFirst().contains { line in
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                return words.count > 4 && words[2].hasSuffix(remote)
                    && !words[4].hasSuffix(":00000000")
            }
            if isThere { return true }
            try? await Task.sleep(nanoseconds: 2_000_000)
        }
        return false
    }
}
#endif
