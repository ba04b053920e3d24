// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

/// Faults that users of other clients reported, of what is sent: each in both styles over both transports.
///
/// Docs/Reliability.md lists all of them, and which tests look closer.
@Suite(.timeLimit(.minutes(5)))
struct RequestCaseTests {
    private func server() throws -> LoopbackServer {
        try LoopbackServer { _ in .respond(204) }
    }

    @Test("O-01 Reserved characters in a query value arrive as given", arguments: Way.all)
    func reservedCharactersInAQuery(_ way: Way) async throws {
        let server = try server()
        let url = server.url("/p").appendingGetParameters([("q", "a+b & c=d#e"), ("t", "1")])
        try await way.send(url: url)
        #expect(server.requests.first?.target == "/p?q=a%2Bb%20%26%20c%3Dd%23e&t=1")
    }

    @Test(
        "O-02, O-03, O-04 A path parameter is one segment, encoded once", arguments: Way.all,
        [
            ("lci80/a2V5==", "lci80%2Fa2V5%3D%3D"), ("100%", "100%25"), ("a%2Fb", "a%252Fb"),
            ("../../admin/secrets", "..%2F..%2Fadmin%2Fsecrets"),
        ])
    func pathParameter(_ way: Way, value: (given: String, sent: String)) async throws {
        let server = try server()
        try await way.send(
            .get, "\(server.url)/v1/users/{id}/profile", pathParams: ["id": value.given])
        #expect(server.requests.map(\.target) == ["/v1/users/\(value.sent)/profile"])
    }

    @Test("O-04 Dots that make a segment are refused", arguments: Way.all, ["..", "."])
    func dotSegment(_ way: Way, value: String) async throws {
        let server = try server()
        let error = await #expect(throws: InvalidRequest.self) {
            try await way.send(
                .get, "\(server.url)/v1/users/{id}/profile", pathParams: ["id": value])
        }
        #expect(error?.kind == .pathParameter)
        #expect(server.acceptCount == 0)
    }

    @Test("O-05 No query items mean no question mark", arguments: Way.all)
    func noQueryItems(_ way: Way) async throws {
        let server = try server()
        try await way.send(url: server.url("/p").appendingGetParameters([:]))
        #expect(server.requests.first?.target == "/p")
    }

    @Test("O-06 A password of any characters in a form", arguments: Way.all)
    func passwordInAForm(_ way: Way) async throws {
        let server = try server()
        try await way.send(
            .post, "\(server.url)/", body: .form([("user", "a b"), ("pw", "p+q&r=s%é😀")]))
        let request = try #require(server.requests.first)
        #expect(request.bodyText == "user=a+b&pw=p%2Bq%26r%3Ds%25%C3%A9%F0%9F%98%80")
        #expect(request.values("Content-Type") == ["application/x-www-form-urlencoded"])
    }

    @Test("O-07 Nobody calls a body a form that is none", arguments: Way.all)
    func noInventedType(_ way: Way) async throws {
        let server = try server()
        try await way.upload(.data(Data(#"{"a":1}"#.utf8)), "\(server.url)/raw")
        try await way.send(.post, "\(server.url)/json", body: jsonBody(["a": 1]))
        let types = server.requests.map { $0.first("Content-Type") }
        #expect(types[0] == nil || types[0] == "application/octet-stream")
        #expect(types[1]?.hasPrefix("application/json") == true)
    }

    @Test("O-08 An empty POST, PUT or PATCH has a length", arguments: Way.all)
    func emptyBody(_ way: Way) async throws {
        let server = try server()
        for method in [HTTPMethod.post, .put, .patch, .get] {
            try await way.send(method, "\(server.url)/")
        }
        let lengths = server.requests.map { $0.values("Content-Length") }
        #expect(lengths == [["0"], ["0"], ["0"], []])
    }

    @Test("O-09 to O-15, O-19 A form on the wire, of known length", arguments: Way.all)
    func form(_ way: Way) async throws {
        let server = try server()
        let names = [
            "my \"draft\".pdf", "evil\r\nContent-Type: text/x\r\n\r\nSMUGGLED", "файл 名.txt",
        ]
        let content = Data("l1\r\nl2\r\n".utf8)
        var form = MultipartForm()
        form.field("title", "héllo")
        for name in names { form.file("data", data: content, filename: name) }
        try await way.upload(form, "\(server.url)/")
        let request = try #require(server.requests.first)
        let boundary = form.contentType.components(separatedBy: "boundary=").last ?? ""
        let sent = [
            "my %22draft%22.pdf", "evil%0D%0AContent-Type: text/x%0D%0A%0D%0ASMUGGLED",
            "файл 名.txt",
        ]
        let types = ["application/pdf", "application/octet-stream", "text/plain"]
        var body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nhéllo\r\n"
        for (name, type) in zip(sent, types) {
            body +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"data\"; filename=\"\(name)\""
                + "\r\nContent-Type: \(type)\r\n\r\nl1\r\nl2\r\n\r\n"
        }
        body += "--\(boundary)--\r\n"
        #expect(request.bodyText == body)
        #expect(request.values("Content-Type") == [form.contentType])
        #expect(request.values("Content-Length") == ["\(body.utf8.count)"])
        #expect(request.values("Transfer-Encoding").isEmpty)
    }

    @Test("O-16 A file that is not there is named, and nothing is sent", arguments: Way.all)
    func missingFile(_ way: Way) async throws {
        let server = try server()
        let file = try Folder().url.appendingPathComponent("nope.bin")
        var form = MultipartForm()
        form.file("f", url: file)
        for upload in [
            { try await way.upload(.file(file), "\(server.url)/") },
            { try await way.upload(form, "\(server.url)/") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: (any Error).self) { try await upload() }
            #expect(error?.localizedDescription.contains("nope.bin") == true, "\(error as Any)")
        }
        #expect(server.acceptCount == 0)
    }

    @Test("O-20 Progress rises to the whole before the result", arguments: Way.all)
    func progress(_ way: Way) async throws {
        let server = try LoopbackServer { _ in .respond(200, body: pattern(256 << 10)) }
        let values = Locked<[Double]>([])
        try await way.upload(.data(pattern(512 << 10)), "\(server.url)/") { progress in
            values.withLock { $0.append(progress.fraction ?? .nan) }
        }
        let all = values.withLock { $0 }
        #expect(all == all.sorted() && all.last == 1)
        #expect(all.allSatisfy { (0...1).contains($0) })
    }

    @Test("O-37 A field in other letter case replaces the default", arguments: Way.all)
    func letterCase(_ way: Way) async throws {
        let server = try server()
        try await way.send(
            .post, "\(server.url)/", body: RawBody(data: Data("a".utf8), contentType: "a/b"),
            headers: ["accept": "text/csv", "CONTENT-TYPE": "text/plain"])
        let request = try #require(server.requests.first)
        #expect(request.values("Accept") == ["text/csv"])
        #expect(request.values("Content-Type") == ["text/plain"])
    }

    @Test(
        "O-38 A field that would end its line is refused", arguments: Way.all,
        [("X-A", "v\r\nX-Injected: 1"), ("X-A", "a\0b"), ("X B", "v")])
    func fieldThatEndsItsLine(_ way: Way, field: (name: String, value: String)) async throws {
        let server = try server()
        await #expect(throws: InvalidRequest.self) {
            try await way.send(.get, "\(server.url)/", headers: [field.name: field.value])
        }
        #expect(server.acceptCount == 0)
    }
}

extension Way {
    fileprivate func send(url: URL) async throws {
        try await send(.get, url.absoluteString)
    }
}
#endif
