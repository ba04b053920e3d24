// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// The request of the curl transport, byte for byte.
@Suite(.timeLimit(.minutes(5)))
struct CurlRequestHeadTests {
    private static let requests: [(method: HTTPMethod, body: RequestBody?, framing: String)] = [
        (.get, nil, ""),
        (.head, nil, ""),
        (.delete, nil, ""),
        (.post, nil, "Content-Length: 0\r\n"),
        (.post, .data(Data("abc".utf8)), "Content-Length: 3\r\n"),
        (.put, .data(Data("abc".utf8)), "Content-Length: 3\r\n"),
        (.patch, .data(Data("abc".utf8)), "Content-Length: 3\r\n"),
        (.delete, .data(Data("abc".utf8)), "Content-Length: 3\r\n"),
        (.get, .data(Data("abc".utf8)), "Content-Length: 3\r\n"),
        (HTTPMethod(rawValue: "PURGE"), nil, "Content-Length: 0\r\n"),
        (.post, .stream(Chunks(["abc"]), length: 3), "Content-Length: 3\r\n"),
        (.post, .stream(Chunks(["abc"])), "Transfer-Encoding: chunked\r\n"),
        // More than libcurl would send without asking for a 100 first.
        (.post, .data(Data(count: 2 << 20)), "Content-Length: 2097152\r\n"),
    ]

    @Test(arguments: requests.indices)
    func headIsExactlyThis(_ index: Int) async throws {
        let (method, body, framing) = Self.requests[index]
        let server = try LoopbackServer { _ in .respond(200) }
        let request = HTTPRequest.make(method, server.url("/a?b=c"), body) {
            for (name, value) in ["X-Z": "3", "X-A": "1", "X-B": "2"] {
                $0.set(name, value)
            }
        }
        #expect(await CurlTransport().outcome(request).status == 200)
        let seen = try #require(server.requests.first)
        #expect(
            seen.headText == """
                \(method) /a?b=c HTTP/1.1\r
                Host: 127.0.0.1:\(server.port)\r
                User-Agent: Duet\r
                Accept: */*\r
                Accept-Encoding: gzip, deflate\r
                \(framing.hasPrefix("T") ? framing : "")\
                X-A: 1\r
                X-B: 2\r
                X-Z: 3\r
                \(framing.hasPrefix("C") ? framing : "")\
                \r

                """)
    }

    @Test(arguments: ["", " ", "\t", " \t "])
    func aFieldWithoutAValueIsSent(value: String) async throws {
        let server = try LoopbackServer { _ in .respond(200) }
        let request = HTTPRequest.get(server.url("/")) {
            $0.urlRequest.allHTTPHeaderFields = ["X-Empty": value]
        }
        #expect(await CurlTransport().outcome(request).status == 200)
        #expect(server.requests.first?.values("X-Empty") == [""])
    }

    /// A part of a coded answer can't be decoded, so none is asked for.
    @Test(arguments: [
        (["range": "bytes=5-"], "identity"), (["X-A": "1"], "gzip, deflate"),
        (["Range": "bytes=5-", "accept-encoding": "gzip"], "gzip"),
    ])
    func aRangeIsOfThePlainBytes(fields: [String: String], accepted: String) async throws {
        let server = try LoopbackServer { _ in .respond(206) }
        let request = HTTPRequest.get(server.url("/")) {
            $0.urlRequest.allHTTPHeaderFields = fields
        }
        #expect(await CurlTransport().outcome(request).status == 206)
        #expect(server.requests.first?.values("Accept-Encoding") == [accepted])
    }
}
#endif
