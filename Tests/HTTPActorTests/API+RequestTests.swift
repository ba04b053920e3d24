// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What a call returns.
@Suite(.timeLimit(.minutes(5)))
struct APIRequestTests {
    private let api = API(transport: standardStack())

    private func server(_ answer: LoopbackServer.Answer) throws -> (LoopbackServer, url: String) {
        let server = try LoopbackServer(script: [answer])
        return (server, server.url("/").absoluteString)
    }

    @Test func aTypedValue() async throws {
        let (server, url) = try server(.json(#"{"id":1,"name":"Ann"}"#))
        let user: User = try await api.request(url: url, method: .get, debug: false)
        #expect(user == User(id: 1, name: "Ann"))
        let users = try await api.request(url: url, method: .get, debug: false) as User
        #expect(users == user)
        #expect(
            server.requests.map { $0.values("Accept") } == [
                ["application/json"], ["application/json"],
            ]
        )
    }

    @Test func anArrayADictionaryAndAScalar() async throws {
        let (list, listURL) = try server(.json("[1,2]"))
        let numbers: [Int] = try await api.request(url: listURL, method: .get, debug: false)
        #expect(numbers == [1, 2])
        let (object, objectURL) = try server(.json(#"{"a":1}"#))
        let pairs: [String: Int] = try await api.request(url: objectURL, method: .get, debug: false)
        #expect(pairs == ["a": 1])
        let (scalar, scalarURL) = try server(.json("true"))
        let flag: Bool = try await api.request(url: scalarURL, method: .get, debug: false)
        #expect(flag)
        withExtendedLifetime((list, object, scalar)) {}
    }

    // O-21, O-22: no value is made of a part, and nobody calls it a decoding error.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n",
    ])
    func aBodyThatIsCutIsALostConnection(answer: String) async throws {
        let (server, url) = try server(.cut(answer))
        let error = await #expect(throws: URLError.self) {
            let _: Int = try await api.request(url: url, method: .get, debug: false)
        }
        #expect(error?.code == .networkConnectionLost)
        withExtendedLifetime(server) {}
    }

    // O-33: a call goes where the answer is.
    @Test func aRedirectIsFollowed() async throws {
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(303, [("Location", "/user")]) : .json(#"{"id":1,"name":"Ann"}"#)
        }
        let user: User = try await api.request(
            url: server.url("/r").absoluteString, method: .post,
            body: jsonBody(User(id: 2, name: "Bob")), debug: false)
        #expect(user == User(id: 1, name: "Ann"))
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.last?.body.isEmpty == true)
    }

    // O-30, and O-29 for the byte order mark.
    @Test(
        arguments: [
            ("text/html; charset=ISO-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            (#"Text/Plain;Charset="utf-8"; x=1"#, [0xC3, 0xA9], "é"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x68, 0x00, 0x69, 0x00], "hi"),
            ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "{}"),
            ("text/plain", [0xC3, 0xA9], "é"),
            ("application/json", [0x22, 0x61, 0x22], "\"a\""),
        ] as [(String, [UInt8], String)]
    )
    func aStringIsTheTextInItsCharset(type: String, bytes: [UInt8], text: String) async throws {
        let (server, url) = try server(.respond(200, [("Content-Type", type)], body: Data(bytes)))
        let got: String = try await api.request(url: url, method: .get, debug: false)
        #expect(got == text)
        let optional: String? = try await api.request(url: url, method: .get, debug: false)
        #expect(optional == text)
        withExtendedLifetime(server) {}
    }

    @Test func dataIsTheBytes() async throws {
        let bytes = Data([0, 0xFF, 0xFE, 10, 13])
        let (server, url) = try server(.respond(200, body: bytes))
        let data: Data = try await api.request(url: url, method: .get, debug: false)
        #expect(data == bytes)
        let optional: Data? = try await api.request(url: url, method: .get, debug: false)
        #expect(optional == bytes)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [(#"{"id":1,"name":"Ann"}"#, true), ("null", false)])
    func anOptionalIsItsValueOrNil(body: String, isThere: Bool) async throws {
        let (server, url) = try server(.json(body))
        let user: User? = try await api.request(url: url, method: .get, debug: false)
        #expect(user == (isThere ? User(id: 1, name: "Ann") : nil))
        withExtendedLifetime(server) {}
    }

    @Test func nothingIsReadOfAnAnswerThatDoesNotMatter() async throws {
        let (server, url) = try server(.text("not JSON"))
        try await api.request(url: url, method: .post, debug: false)
        #expect(server.requests.map(\.method) == ["POST"])
    }

    // O-28
    @Test(arguments: [
        (204, "HTTP/1.1 204 No Content\r\n\r\n"),
        (205, "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
        (200, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        (200, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"),
    ])
    func anEmptyBodyIsAValueWhereTheTypeHasOne(status: Int, head: String) async throws {
        let (server, url) = try server(.raw(head))
        try await api.request(url: url, method: .get, debug: false)
        let user: User? = try await api.request(url: url, method: .get, debug: false)
        #expect(user == nil)
        let text: String = try await api.request(url: url, method: .get, debug: false)
        #expect(text == "")
        let optionalText: String? = try await api.request(url: url, method: .get, debug: false)
        #expect(optionalText == nil)
        let data: Data = try await api.request(url: url, method: .get, debug: false)
        #expect(data == Data())
        let optionalData: Data? = try await api.request(url: url, method: .get, debug: false)
        #expect(optionalData == nil)
        let error = await #expect(throws: ResponseBodyError.self) {
            let _: User = try await api.request(url: url, method: .get, debug: false)
        }
        #expect(error?.kind == .empty)
        #expect(error?.status == status)
        #expect(error?.description.contains("empty body") == true)
        #expect(server.requests.count == 7)
    }

    @Test @MainActor func aMainActorModelIsReadOnItsActor() async throws {
        let (server, url) = try server(.json(#"{"name":"Ann"}"#))
        let profile: Profile = try await api.request(url: url, method: .get, debug: false)
        #expect(profile.name == "Ann")
        let profiles: Profile? = try await api.request(
            url: url,
            method: .put,
            body: jsonBody(profile),
            debug: false
        )
        #expect(profiles?.name == "Ann")
        #expect(server.requests.last?.bodyText == #"{"name":"Ann"}"#)
    }

    @Test func aStatusErrorIsAnNSErrorThatHoldsTheBody() async throws {
        let (server, url) = try server(.json(#"{"error":"no such user"}"#, status: 404))
        var caught: NSError?
        do {
            let _: User = try await api.request(url: url, method: .get, debug: false)
        } catch let error as NSError {
            caught = error
        } catch {
            Issue.record(error)
        }
        let error = try #require(caught)
        #expect(error.code == 404)
        #expect(error.localizedDescription.contains("404"))
        #expect(error.localizedFailureReason == "{\n  \"error\" : \"no such user\"\n}")
        let status = try #require(error as? HTTPStatusError)
        #expect(status.body == Data(#"{"error":"no such user"}"#.utf8))
        #expect(status.headers["content-type"] == "application/json")
        withExtendedLifetime(server) {}
    }

    // O-31
    @Test func aGatewaysHTMLPageIsAStatusError() async throws {
        let (server, url) = try server(
            .raw(
                "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n"
                    + "<html>502</html>    "
            )
        )
        for call in 0..<3 {
            let error = await #expect(throws: HTTPStatusError.self) {
                switch call {
                case 0: let _: User = try await api.request(url: url, method: .get, debug: false)
                case 1: let _: String = try await api.request(url: url, method: .get, debug: false)
                default: try await api.request(url: url, method: .get, debug: false)
                }
            }
            #expect(error?.status == 502)
            #expect(error?.body == Data("<html>502</html>    ".utf8))
        }
        withExtendedLifetime(server) {}
    }

    @Test func aMalformedBodyIsADecodingErrorWithPathAndMaskedExcerpt() async throws {
        let server = try LoopbackServer { request in
            .json(
                #"{"id":"x","session_token":"s3cret","a":"\#(request.first("Authorization") ?? "")"}"#
            )
        }
        let error = await #expect(throws: DecodingError.self) {
            let _: User = try await api.request(
                url: server.url("/").absoluteString,
                method: .get,
                headers: ["Authorization": "Bearer s3cret"],
                debug: false
            )
        }
        let text = "\(String(describing: error))"
        #expect(text.contains("At id: Expected to decode Int but found a string instead."))
        #expect(!text.contains("s3cret"))
    }

    @Test func aConnectionThatIsRefusedIsAURLError() async throws {
        let url = "http://127.0.0.1:\(try LoopbackServer.closedPort())/"
        let error = await #expect(throws: URLError.self) {
            try await api.request(url: url, method: .post, debug: false)
        }
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.requestMayHaveArrived == false)
    }
}
