// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What a call sends.
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
    private let api = API(transport: standardStack())

    /// What arrives of one call; nil when nothing did.
    private func arriving(
        _ method: HTTPMethod = .post,
        path: String = "/",
        body: (any HTTPBody)? = nil,
        headers: [String: String] = [:],
        pathParams: [String: String] = [:]
    ) async throws -> LoopbackServer.Request {
        let server = try LoopbackServer(script: [.text("ok")])
        try await api.request(
            url: server.url.absoluteString + path,
            method: method,
            body: body,
            headers: headers,
            pathParams: pathParams,
            debug: false
        )
        return try #require(server.requests.first)
    }

    /// The error of a call that must not connect.
    private func refusal(
        _ method: HTTPMethod = .post,
        path: String = "/",
        body: (any HTTPBody)? = nil,
        headers: [String: String] = [:],
        pathParams: [String: String] = [:]
    ) async throws -> (any Error)? {
        let server = try LoopbackServer(script: [.text("ok")])
        var thrown: (any Error)?
        do {
            try await api.request(
                url: server.url.absoluteString + path,
                method: method,
                body: body,
                headers: headers,
                pathParams: pathParams,
                debug: false
            )
        } catch {
            thrown = error
        }
        #expect(server.acceptCount == 0)
        return thrown
    }

    // MARK: Bodies

    @Test func aJSONBodyIsItsBytesAndType() async throws {
        let request = try await arriving(body: jsonBody(User(id: 1, name: "Änn/")))
        #expect(
            [#"{"id":1,"name":"Änn/"}"#, #"{"name":"Änn/","id":1}"#].contains(request.bodyText)
        )
        #expect(request.values("Content-Type") == ["application/json; charset=UTF-8"])
        #expect(request.values("Content-Length") == ["\(request.body.count)"])
    }

    // O-06
    @Test func aFormIsItsBytesAndType() async throws {
        let request = try await arriving(
            body: .form([("user", "a b"), ("pw", "p+q&r=s%é😀"), ("user", "again")])
        )
        #expect(
            request.bodyText == "user=a+b&pw=p%2Bq%26r%3Ds%25%C3%A9%F0%9F%98%80&user=again"
        )
        #expect(request.values("Content-Type") == ["application/x-www-form-urlencoded"])
        let sorted = try await arriving(body: .form(["b": "2", "a": "1"]))
        #expect(sorted.bodyText == "a=1&b=2")
    }

    // O-07
    @Test func rawBytesAreSentAsTheyAreAndNeverCalledAForm() async throws {
        let bytes = Data([0, 0xFF, 13, 10, 0x7B])
        let request = try await arriving(
            .put,
            body: RawBody(data: bytes, contentType: "application/x-thing")
        )
        #expect(request.body == bytes)
        #expect(request.values("Content-Type") == ["application/x-thing"])
    }

    private struct CSVBody: HTTPBody {
        let rows: [[String]]

        func encoded() throws -> (data: Data, contentType: String) {
            (Data(rows.map { $0.joined(separator: ",") }.joined(separator: "\n").utf8), "text/csv")
        }
    }

    @Test func aBodyOfTheCallersOwnIsItsBytesAndType() async throws {
        let request = try await arriving(.patch, body: CSVBody(rows: [["a", "b"], ["1", "2"]]))
        #expect(request.method == "PATCH")
        #expect(request.bodyText == "a,b\n1,2")
        #expect(request.values("Content-Type") == ["text/csv"])
    }

    private struct ThrowingBody: HTTPBody {
        struct Failure: Error {}

        func encoded() throws -> (data: Data, contentType: String) {
            throw Failure()
        }
    }

    @Test func aBodyThatThrowsEndsTheCallBeforeAnythingIsSent() async throws {
        #expect(try await refusal(body: ThrowingBody()) is ThrowingBody.Failure)
        #expect(try await refusal(body: jsonBody(Double.nan)) is EncodingError)
    }

    // O-08
    @Test(arguments: [HTTPMethod.post, .put, .patch, .get, .delete])
    func withoutABodyThereIsNoContentType(method: HTTPMethod) async throws {
        let request = try await arriving(method, headers: ["content-TYPE": "application/json"])
        #expect(request.values("Content-Type") == [])
        #expect(request.body.isEmpty)
        let hasLength = [HTTPMethod.post, .put, .patch].contains(method)
        #expect(request.values("Content-Length") == (hasLength ? ["0"] : []))
    }

    // MARK: Header fields

    // O-37
    @Test func aFieldInOtherLetterCaseReplacesTheDefault() async throws {
        let request = try await arriving(
            body: RawBody(data: Data("a".utf8), contentType: "application/json"),
            headers: ["accept": "text/csv", "CONTENT-TYPE": "text/plain", "X-A": "1"]
        )
        #expect(request.values("Accept") == ["text/csv"])
        #expect(request.values("Content-Type") == ["text/plain"])
        #expect(request.values("X-A") == ["1"])
    }

    @Test func ofTwoNamesThatDifferInCaseOneIsSentAlwaysTheSame() async throws {
        for _ in 0..<5 {
            let request = try await arriving(.get, headers: ["X-A": "1", "x-a": "2"])
            #expect(request.values("X-A") == ["2"])
        }
    }

    // O-13: the boundary is part of the bytes.
    @Test func theTypeOfAMultipartBodyStays() async throws {
        let type = "multipart/form-data; boundary=B"
        let request = try await arriving(
            body: RawBody(data: Data("--B--\r\n".utf8), contentType: type),
            headers: ["content-type": "multipart/form-data", "Content-Type": "application/json"]
        )
        #expect(request.values("Content-Type") == [type])
        #expect(request.bodyText == "--B--\r\n")
    }

    // O-38
    @Test(arguments: [
        ("X-A", "v\r\nX-Injected: 1", InvalidRequest.Kind.headerValue),
        ("X-A", "a\u{0}b", .headerValue),
        ("X-A", "a\nb", .headerValue), ("X-A", "a\rb", .headerValue), ("X B", "v", .headerName),
        ("", "v", .headerName), ("X-A:", "v", .headerName), ("X-É", "v", .headerName),
        ("X\r\nY", "v", .headerName),
    ])
    func aFieldThatWouldBreakTheHeadIsAnErrorAndNothingIsSent(
        name: String,
        value: String,
        kind: InvalidRequest.Kind
    ) async throws {
        let error = try await refusal(headers: [name: value]) as? InvalidRequest
        #expect(error?.kind == kind)
        #expect(error?.description.contains("Injected") == false)
    }

    @Test func aTypeOfABodyThatWouldBreakTheHeadIsAnErrorToo() async throws {
        let body = RawBody(data: Data(), contentType: "text/plain\r\nX-Injected: 1")
        #expect((try await refusal(body: body) as? InvalidRequest)?.kind == .headerValue)
    }

    @Test(arguments: ["GET\r\nX: 1", "", "G T", "GÉT", "GET\u{0}"])
    func aMethodThatIsNoTokenIsAnErrorAndNothingIsSent(method: String) async throws {
        let error = try await refusal(HTTPMethod(rawValue: method)) as? InvalidRequest
        #expect(error?.kind == .method)
    }

    // MARK: Path parameters

    // O-02 to O-04
    @Test(arguments: [
        ("/objects/{id}/track", "lci80/a2V5==", "/objects/lci80%2Fa2V5%3D%3D/track"),
        ("/users/{id}/4", "100%", "/users/100%25/4"),
        ("/users/{id}/4", "a%2Fb", "/users/a%252Fb/4"),
        (
            "/v1/users/{id}/profile", "../../admin/secrets",
            "/v1/users/..%2F..%2Fadmin%2Fsecrets/profile"
        ),
        ("/a/{id}?q=1", "b?c#d e", "/a/b%3Fc%23d%20e?q=1"),
        ("/a?q={id}", "x&y=z", "/a?q=x%26y%3Dz"),
        ("/a/{id}.json", "é", "/a/%C3%A9.json"), ("/a/%2F/{id}", "b", "/a/%2F/b"),
        ("/{id}/{id}", "b", "/b/b"),
    ])
    func aPathParameterIsOneSegment(template: String, id: String, target: String) async throws {
        let request = try await arriving(.get, path: template, pathParams: ["id": id])
        #expect(request.target == target)
    }

    // O-04 (b) and (c), and parameters that don't fit the template.
    @Test(arguments: [
        ("/v1/users/{id}/profile", ["id": ".."]), ("/v1/users/{id}/profile", ["id": "."]),
        ("/a/.{id}", ["id": "."]), ("/a/{id}", [:]), ("/a/{id}", ["id": "1", "other": "2"]),
        ("/a", ["id": "1"]), ("/a/{id}", ["ID": "1"]),
    ])
    func aPathParameterThatDoesNotFitIsAnErrorAndNothingIsSent(
        template: String,
        parameters: [String: String]
    ) async throws {
        let error = try await refusal(path: template, pathParams: parameters) as? InvalidRequest
        #expect(error?.kind == .pathParameter)
    }

    // O-05
    @Test(arguments: [("/p", "/p"), ("/p?a=1%2B2", "/p?a=1%2B2"), ("", "/")])
    func aURLThatIsEncodedIsNotTouched(path: String, target: String) async throws {
        #expect(try await arriving(.get, path: path).target == target)
    }

    @Test(arguments: [
        "", "host/path", "ftp://127.0.0.1/", "http://", "http:///p", "/p", "mailto:a@b",
    ])
    func whatIsNoURLIsAnError(url: String) async {
        let error = await #expect(throws: InvalidRequest.self) {
            try await api.request(url: url, method: .get, debug: false)
        }
        #expect(error?.kind == .url)
    }

    // MARK: Options

    @Test func whatIsDecidedPerCallReachesTheTransport() async throws {
        let recorder = Recorder()
        let api = API(transport: recorder)
        try await api.request(
            url: "http://h.net/",
            method: .get,
            debug: true,
            timeoutInterval: 2.5,
            networkServiceType: .background
        )
        try await api.request(url: "http://h.net/", method: .get, debug: false)
        let requests = recorder.requests
        try #require(requests.count == 2)
        #expect(requests.map(\.urlRequest.timeoutInterval) == [2.5, 30])
        #expect(requests.map(\.urlRequest.networkServiceType) == [.background, .default])
        #expect(requests.map(\.options.logs) == [true, false])
        #expect(requests.map(\.options.attempts) == [1, 1])
        #expect(
            requests.map(\.options.collect) == Array(repeating: HTTPResponse.defaultLimit, count: 2)
        )
    }

    @Test func aCallEndsWhenNothingMovesForItsInterval() async throws {
        let server = try LoopbackServer(script: [LoopbackServer.Answer([.hold])])
        let error = await #expect(throws: URLError.self) {
            try await api.request(
                url: server.url("/").absoluteString,
                method: .get,
                debug: false,
                timeoutInterval: 0.05
            )
        }
        #expect(error?.code == .timedOut)
    }
}
