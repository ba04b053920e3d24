// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ContentCodingTests {
    enum Coding: String, CaseIterable, Sendable {
        case gzip, zlib, rawDeflate

        /// As `Content-Encoding` has it: deflate is zlib, though some servers send it raw.
        var name: String { self == .gzip ? "gzip" : "deflate" }

        var data: Data {
            let text =
                switch self {
                case .gzip: Coded.gzip
                case .zlib: Coded.zlib
                case .rawDeflate: Coded.rawDeflate
                }
            return Data(base64Encoded: text) ?? Data()
        }
    }

    private func answer(_ coding: String, _ pieces: [Data]) -> LoopbackServer.Answer {
        let chunks = pieces.reduce(into: Data()) { all, piece in
            all += Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
        }
        return .respond(
            200, [("Content-Encoding", coding), ("Transfer-Encoding", "chunked")],
            body: chunks + Data("0\r\n\r\n".utf8))
    }

    @Test(arguments: Subject.all, Coding.allCases)
    func codingIsUndone(_ subject: Subject, coding: Coding) async throws {
        let data = coding.data
        let answers = [
            "/whole": LoopbackServer.Answer.respond(
                200, [("Content-Encoding", coding.name)], body: data),
            "/upper": .respond(200, [("content-encoding", coding.name.uppercased())], body: data),
            "/bytes": answer(coding.name, data.map { Data([$0]) }),
            "/close": LoopbackServer.Answer(
                [
                    .text("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.name)\r\n\r\n"),
                    .send(data),
                ],
                keepsAlive: false),
        ]
        let server = try LoopbackServer { answers[$0.path] ?? .text("") }
        let transport = subject.transport()
        for path in answers.keys {
            for reading in Reading.allCases {
                let outcome = await transport.outcome(.get(server.url(path)), reading)
                let check = { #expect(outcome.text == Coded.text, "\(path), \(reading)") }
                if path == "/bytes", coding == .rawDeflate {
                    try await subject.expect(.rawDeflateInPieces) { check() }
                } else {
                    check()
                }
            }
        }
    }

    /// The connection is read byte by byte too: the coding's own frame may be cut anywhere.
    @Test(arguments: Subject.all, Coding.allCases)
    func codingMayComeInPieces(_ subject: Subject, coding: Coding) async throws {
        let data = coding.data
        let gates = [Gate(), Gate(), Gate()]
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.name)\r\n"
            + "Content-Length: \(data.count)\r\n\r\n"
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer([
                .text(head), .wait(gates[0]), .send(data[..<1]), .wait(gates[1]),
                .send(data[1..<2]), .wait(gates[2]), .send(data[2...]),
            ])
        }
        let transport = subject.transport()
        let task = Task { await transport.outcome(.get(server.url("/a")), .streamed) }
        for (index, gate) in gates.enumerated() {
            #expect(await server.waitForBytesSent(head.utf8.count + index))
            // Time for the byte to arrive alone; that it does is likely, and not needed to pass.
            _ = await server.waitForRequests(2, timeout: 0.05)
            gate.open()
        }
        let text = await task.value.text
        if coding == .rawDeflate {
            try await subject.expect(.rawDeflateInPieces) { #expect(text == Coded.text) }
        } else {
            #expect(text == Coded.text)
        }
    }

    /// O-23: half a gzip is an error, wherever the body ends.
    @Test(arguments: Subject.all, Coding.allCases)
    func cutCodingIsAnError(_ subject: Subject, coding: Coding) async throws {
        let half = coding.data.prefix(coding.data.count / 2)
        let answers = [
            "/close": LoopbackServer.Answer(
                [
                    .text("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.name)\r\n\r\n"),
                    .send(half),
                ],
                keepsAlive: false),
            "/length": .respond(200, [("Content-Encoding", coding.name)], body: half),
            "/chunks": answer(coding.name, [half]),
        ]
        let server = try LoopbackServer { answers[$0.path] ?? .text("ok") }
        let transport = subject.transport()
        try await subject.expect(.cutGzip) {
            for path in answers.keys.sorted() {
                for reading in Reading.allCases {
                    let outcome = await transport.outcome(.get(server.url(path)), reading)
                    #expect(outcome.urlError?.code == .cannotDecodeContentData, "\(path)")
                    #expect(outcome.urlError?.requestMayHaveArrived == true)
                    #expect(outcome.failedInBody == (reading == .streamed))
                }
            }
        }
        #expect(try await transport.text(server.url("/next")) == "ok")
    }

    @Test(arguments: Subject.all)
    func bytesThatAreNoGzipAreAnError(_ subject: Subject) async throws {
        let fields = [("Content-Encoding", "gzip")]
        let server = try LoopbackServer { request in
            request.path == "/plain"
                ? .respond(200, fields, body: "no gzip at all")
                : .respond(200, fields, body: Coding.gzip.data + Data("more".utf8))
        }
        let transport = subject.transport()
        for path in ["/plain", "/more"] {
            try await subject.expect(path == "/plain" ? .errorCodes : .cutGzip) {
                let outcome = await transport.outcome(.get(server.url(path)))
                #expect(outcome.urlError?.code == .cannotDecodeContentData, "\(outcome)")
            }
        }
    }

    /// The limit counts what comes out, so that a small answer can't become a large one.
    @Test(arguments: Subject.all)
    func limitCountsDecodedBytes(_ subject: Subject) async throws {
        let data = Coding.gzip.data
        let server = try LoopbackServer { _ in
            .respond(200, [("Content-Encoding", "gzip")], body: data)
        }
        let limit = data.count + 10
        let request = HTTPRequest.get(server.url("/")) { $0.options.collect = limit }
        let error = await subject.transport().outcome(request).error as? ResponseBodyError
        #expect(error?.kind == .tooLarge(limit: limit))
    }

    @Test(arguments: Subject.all)
    func codedAnswerWithoutABodyIsEmpty(_ subject: Subject) async throws {
        let fields = [("Content-Encoding", "gzip")]
        let server = try LoopbackServer { request in
            request.method == "HEAD"
                ? .bodiless(200, fields + [("Content-Length", "455")])
                : .respond(request.path == "/204" ? 204 : 200, fields)
        }
        let transport = subject.transport()
        #expect(await transport.outcome(.make(.head, server.url("/"))).text == "")
        #expect(await transport.outcome(.get(server.url("/204"))).text == "")
        #expect(await transport.outcome(.get(server.url("/200"))).text == "")
    }
}

/// A text, and what Python's zlib makes of it.
private enum Coded {
    static let text =
        #"{"items":["#
        + (0..<60).map { #"{"id":\#($0),"name":"Todo \#($0 * $0 * 7919 % 1_000_003)"}"# }
        .joined(separator: ",") + "]}"
    static let gzip = """
        H4sIAAAAAAACA2WUO04lQQxFt4I6JvDf5bcOstEEI0FAwBAMGWLvFBqp7b4vPnJV+dS1P4/Xj5e3f8ft1+fx\
        +nzc6PH4++ft5bgdT+/P7w90fD3+B3wFWVwnkytTjowTKhSyJJ/QrpAlkuykDrSy0k8aVyrLaXVtwpvWIu17\
        15U6xeJ+cl1pGJt2t0z3KmiIAlPli2tUgyw2UtXGoEt1Ka3GIMxdWLotBmO5OFMao7IUH2cnCl2+Wjejs/D0\
        0TZI27Xp3ZeAtB0Rr364gDQrkezDBaQtlVzZGKTxKh4fJigtWLWtCEgrK43xcpCmriLjcLC2fe/yxmBNdkaz\
        nQtGzWtFa1G0tqVk361gLZhY+3DFqFHR6FvBWohmtFTF2XRTHRijRpQ27saohVT1dCpYW8a0Rt9gzdSJ+ksU\
        rJnl+DADaXulaPTVxriteI3xNZBWUZTdtqE0k522xobjyzOJ5pilknE2OMs9Yt5RssQZUZLxcEya/QS1MThj\
        tWjqdzstzVqpgzOvvTm6LQdnxrIHsLHiy8yoF4uDs+LUQXE63YpaigduBi0efeF0yt5KoxqchZaNAfK6W3n1\
        szB/f30D5fyOVzcHAAA=
        """
    static let zlib = """
        eNpllDtOJUEMRbeCOibw3+W3DrLRBCNBQMAQDBli7xQaqe2+Lz5yVfnUtT+P14+Xt3/H7dfn8fp83Ojx+Pvn\
        7eW4HU/vz+8PdHw9/gd8BVlcJ5MrU46MEyoUsiSf0K6QJZLspA60stJPGlcqy2l1bcKb1iLte9eVOsXifnJd\
        aRibdrdM9ypoiAJT5YtrVIMsNlLVxqBLdSmtxiDMXVi6LQZjuThTGqOyFB9nJwpdvlo3o7Pw9NE2SNu16d2X\
        gLQdEa9+uIA0K5HswwWkLZVc2Rik8SoeHyYoLVi1rQhIKyuN8XKQpq4i43Cwtn3v8sZgTXZGs50LRs1rRWtR\
        tLalZN+tYC2YWPtwxahR0ehbwVqIZrRUxdl0Ux0Yo0aUNu7GqIVU9XQqWFvGtEbfYM3UifpLFKyZ5fgwA2l7\
        pWj01ca4rXiN8TWQVlGU3bahNJOdtsaG48szieaYpZJxNjjLPWLeUbLEGVGS8XBMmv0EtTE4Y7Vo6nc7Lc1a\
        qYMzr705ui0HZ8ayB7Cx4svMqBeLg7Pi1EFxOt2KWooHbgYtHn3hdMreSqManIWWjQHyult59bMwf399A/Nu\
        860=
        """
    static let rawDeflate = """
        ZZQ7TiVBDEW3gjom8N/ltw6y0QQjQUDAEAwZYu8UGqntvi8+clX51LU/j9ePl7d/x+3X5/H6fNzo8fj75+3l\
        uB1P78/vD3R8Pf4HfAVZXCeTK1OOjBMqFLIkn9CukCWS7KQOtLLSTxpXKstpdW3Cm9Yi7XvXlTrF4n5yXWkY\
        m3a3TPcqaIgCU+WLa1SDLDZS1cagS3UprcYgzF1Yui0GY7k4UxqjshQfZycKXb5aN6Oz8PTRNkjbtendl4C0\
        HRGvfriANCuR7MMFpC2VXNkYpPEqHh8mKC1Yta0ISCsrjfFykKauIuNwsLZ97/LGYE12RrOdC0bNa0VrUbS2\
        pWTfrWAtmFj7cMWoUdHoW8FaiGa0VMXZdFMdGKNGlDbuxqiFVPV0KlhbxrRG32DN1In6SxSsmeX4MANpe6Vo\
        9NXGuK14jfE1kFZRlN22oTSTnbbGhuPLM4nmmKWScTY4yz1i3lGyxBlRkvFwTJr9BLUxOGO1aOp3Oy3NWqmD\
        M6+9ObotB2fGsgewseLLzKgXi4Oz4tRBcTrdilqKB24GLR594XTK3kqjGpyFlo0B8rpbefWzMH9/fQM=
        """
}
