// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a stack writes that is made to log.
@Suite(.timeLimit(.minutes(5)))
struct LoggingTransportTests {
    private let url = URL(string: "https://h.net/login?token=s3cret-q&page=2&iban=s3cret-i")!

    /// The lines of one exchange, the time left out.
    private func lines(
        bodies limit: Int = 0, secrets: Set<String> = [],
        _ answer: StubTransport.Answer = .status(204), _ method: HTTPMethod = .post,
        _ headers: [String: String] = [:], body: RequestBody = .empty, isCollected: Bool = true
    ) async throws -> [String] {
        let texts = Locked<[String]>([])
        let transport = StubTransport { _ in answer }.standard()
            .logging(bodies: limit, secrets: secrets) { text in
                texts.withLock { $0.append(text) }
            }
        let response = try await transport.roundTrip(method, url, headers, body: body) {
            if !isCollected { $0.collect = nil }
        }
        _ = try await response.data()
        let all = texts.withLock { $0 }
        try #require(all.count == 1)
        return all[0].replacingOccurrences(
            of: #"\d+\.\d ms"#, with: "T", options: .regularExpression
        ).components(separatedBy: "\n")
    }

    @Test func withoutMoreItIsOneLine() async throws {
        let line = "POST https://h.net/login?token=•••&page=2&iban=s3cret-i → 204, 0 bytes, T"
        #expect(try await lines(body: .data(Data("a=1".utf8))) == [line])
    }

    @Test func aNameOfTheAppsOwnIsASecretInEachPlace() async throws {
        let json = #"{"IBAN": "s3cret-j", "a": 1}"#
        let text = try await lines(
            bodies: 1_000, secrets: ["iban"], .json(json), .post,
            ["IBAN": "s3cret-h"], body: .data(Data("iban=s3cret-f&a=1".utf8))
        ).joined(separator: "\n")
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(text.contains("page=2"))
        #expect(text.contains("&a=1"))
        #expect(text.contains(#""a" : 1"#))
    }

    @Test(arguments: [true, false])
    func bodiesAreTextJSONInLines(isCollected: Bool) async throws {
        let lines = try await lines(
            bodies: 100, .json(#"{"b":[1],"access_token":"s3cret","a":"x/y"}"#), .post,
            ["Content-Type": "application/json"],
            body: .data(Data(#"{"user":"ada","password":"s3cret"}"#.utf8)), isCollected: isCollected
        )
        #expect(
            Array(lines.dropFirst()) == [
                "> {", #">   "password" : "•••","#, #">   "user" : "ada""#, "> }",
                "< {", #"<   "a" : "x/y","#, #"<   "access_token" : "•••","#, #"<   "b" : ["#,
                "<     1", "<   ]", "< }",
            ])
    }

    // What is cut can't be read as JSON, and the cut may go through a secret.
    @Test(arguments: 1...40)
    func bodiesAreBounded(limit: Int) async throws {
        let text = #"{"a":1,"password":"s3cretsecretsecret"}"#
        let pieces = text.utf8.map { Data([$0]) }
        let lines = try await lines(
            bodies: limit, .chunks(pieces), .get, body: .empty, isCollected: false)
        let shown = lines.dropFirst().joined()
        #expect(lines[0].contains("200, 39 bytes, T"))
        #expect(!shown.contains("s3c"))
        #expect(shown.utf8.count <= limit + 20)
        #expect(shown.hasSuffix("…") == (limit < 39) || shown.contains("•••"))
    }

    @Test func whatIsNoTextIsCounted() async throws {
        let form =
            "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--B--\r\n"
        let lines = try await lines(
            bodies: 1_000, .status(200, body: Data([0x89, 0x50, 0, 1])), .post,
            ["Content-Type": "Multipart/Form-Data; boundary=B"], body: .data(Data(form.utf8)))
        #expect(Array(lines.dropFirst()) == ["> \(form.utf8.count) bytes", "< 4 bytes"])
    }

    // Neither the request's nor the server's words can be taken for another line of the log.
    /// Whatever it is said to be.
    @Test(arguments: [nil, "application/octet-stream", " multipart/form-data; boundary=b"])
    func aFormOfPartsIsCounted(type: String?) async throws {
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--b--\r\n"
        let lines = try await lines(
            bodies: 1_000, .status(204), .post, headers(type), body: .data(Data(form.utf8)))
        #expect(lines.dropFirst() == ["> \(form.utf8.count) bytes"])
    }

    private func headers(_ type: String?) -> [String: String] {
        type.map { ["Content-Type": $0] } ?? [:]
    }

    @Test func whatABodySaysCanNotForgeALine() async throws {
        let lines = try await lines(
            bodies: 1_000, .status(200, body: Data("a\nGET https://h.net/ → 200\r\nb".utf8)))
        #expect(lines.count == 4)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("< ") })
    }

    @Test func theSecretsThatARequestCarriedAreMaskedInAnEcho() async throws {
        let lines = try await lines(
            bodies: 1_000, .status(200, body: Data("You said Bearer s3cret-a.".utf8)), .get,
            ["Authorization": "Bearer s3cret-a"])
        #expect(lines.last == "< You said Bearer •••")
    }

    // Next to the network, wherever the verb stands, and once.
    @Test func eachHopAndEachAttemptIsALine() async throws {
        let stub = StubTransport { request in
            switch request.urlRequest.url?.path {
            case "/r": .status(302, headers: ["Location": "/x"])
            default: .status(503)
            }
        }
        let texts = Locked<[String]>([])
        let write: @Sendable (String) -> Void = { text in texts.withLock { $0.append(text) } }
        let policy = RetryPolicy(attempts: 2, delay: 0.000_1)
        let stacks: [any HTTPTransport] = [
            stub.standard().retrying(policy).logging(to: write),
            stub.standard().logging(to: write).retrying(policy),
            stub.logging(to: write).standard().retrying(policy),
            stub.logging(to: write).retrying(policy).standard().timingOut(after: 60),
        ]
        for stack in stacks {
            texts.withLock { $0 = [] }
            let response = try await stack.roundTrip(url: url.appendingRelative("/r")) {
                $0.logs = true
            }
            #expect(response.status == 503)
            let starts = texts.withLock { $0 }.map { $0.prefix { $0 != "," } }
            #expect(
                starts == [
                    "GET https://h.net/r → 302", "GET https://h.net/x → 503",
                    "GET https://h.net/x → 503",
                ])
            #expect(texts.withLock { $0 }.last?.contains("attempt 2, 0.00 s waited") == true)
        }
    }
}
