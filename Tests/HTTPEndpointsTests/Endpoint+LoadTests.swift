// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EndpointLoadTests {
    private let stack = standardStack()

    @Test func aValueIsLoaded() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let todo = try await Endpoint<Todo>.json(server.url("/1")).load(on: stack)
        #expect(todo == Todo(id: 1, title: "one"))
    }

    @Test func withoutATransportTheProcessesOwnIsUsed() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let todo = try await Endpoint<Todo>.json(server.url("/1")).load()
        #expect(todo == Todo(id: 1, title: "one"))
    }

    @Test func aStatusErrorHoldsTheBodyAndIsAnNSError() async throws {
        let server = try LoopbackServer(script: [.json(#"{"b":[1],"a":"x/y"}"#, status: 404)])
        let endpoint = Endpoint<Todo>.json(server.url("/1?token=s3cret"))
        var caught: NSError?
        do {
            _ = try await endpoint.load(on: stack)
        } catch let error as NSError {
            caught = error
        } catch {
            Issue.record(error)
        }
        let error = try #require(caught)
        #expect(error.code == 404)
        #expect(error.localizedDescription.contains("404"))
        #expect(
            error.localizedFailureReason == """
                {
                  "a" : "x/y",
                  "b" : [
                    1
                  ]
                }
                """
        )
        let statusError = try #require(caught as? HTTPStatusError)
        #expect(statusError.body == Data(#"{"b":[1],"a":"x/y"}"#.utf8))
        #expect(statusError.headers["content-type"] == "application/json")
        #expect(statusError.url == server.url("/1?token=s3cret"))
        #expect(!statusError.description.contains("s3cret"))
        #expect(!statusError.description.contains("x/y"))
    }

    // O-21, O-22: no value is made of a part, and nobody calls it a decoding error.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n",
    ])
    func aBodyThatIsCutIsALostConnection(answer: String) async throws {
        let server = try LoopbackServer(script: [.cut(answer)])
        let error = await #expect(throws: URLError.self) {
            _ = try await Endpoint<Int>.json(server.url("/")).load(on: stack)
        }
        #expect(error?.code == .networkConnectionLost)
    }

    // O-33: an endpoint's answer may be elsewhere.
    @Test func aRedirectIsFollowed() async throws {
        let server = try LoopbackServer { request in
            request.path == "/r"
                ? .respond(303, [("Location", "/1")]) : .json(#"{"id":1,"title":"one"}"#)
        }
        var endpoint = Endpoint<Todo>.json(server.url("/r"))
        endpoint.request.httpMethod = "POST"
        endpoint.request.httpBody = Data("{}".utf8)
        #expect(try await endpoint.load(on: stack) == Todo(id: 1, title: "one"))
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.last?.body.isEmpty == true)
    }

    // O-31
    @Test func aGatewaysHTMLPageIsAStatusError() async throws {
        let server = try LoopbackServer(script: [
            .raw(
                "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n"
                    + "<html>502</html>    "
            )
        ])
        let error = await #expect(throws: HTTPStatusError.self) {
            _ = try await Endpoint<Todo>.json(server.url("/1")).load(on: stack)
        }
        #expect(error?.status == 502)
        #expect(error?.headers["Content-Type"] == "text/html")
        #expect(error?.body == Data("<html>502</html>    ".utf8))
        #expect(error?.localizedFailureReason == "<html>502</html>    ")
    }

    @Test func theValidatorDecidesWhatIsSuccess() async throws {
        struct Refused: Error {}
        let server = try LoopbackServer { request in
            .json(#"{"id":1,"title":"one"}"#, status: request.path == "/404" ? 404 : 200)
        }
        var lenient = Endpoint<Todo>.json(server.url("/404"))
        lenient.validateResponse = { _ in }
        #expect(try await lenient.load(on: stack).id == 1)
        var strict = Endpoint<Todo>.json(server.url("/200"))
        strict.validateResponse = { _ in throw Refused() }
        await #expect(throws: Refused.self) { _ = try await strict.load(on: stack) }
    }

    @Test func aMalformedBodyIsADecodingErrorWithPathAndMaskedExcerpt() async throws {
        let body = #"{"token":"s3cret","id":"seven","title":"one"}"#
        let server = try LoopbackServer(script: [.json(body)])
        let error = await #expect(throws: DecodingError.self) {
            _ = try await Endpoint<Todo>.json(server.url("/1")).load(on: stack)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("not a type mismatch: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["id"])
        let text = context.debugDescription
        #expect(text.contains("At id: Expected to decode Int but found a string instead."))
        #expect(text.contains(#""id":"seven""#))
        #expect(!text.contains("s3cret"))
    }

    @Test func aDecodingErrorMasksWhatTheRequestCarried() async throws {
        let server = try LoopbackServer { request in
            .json(#"{"id":"\#(request.first("Authorization") ?? "")"}"#)
        }
        var endpoint = Endpoint<Todo>.json(server.url("/1"))
        endpoint.request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        let sent = endpoint
        let error = await #expect(throws: DecodingError.self) { _ = try await sent.load(on: stack) }
        #expect(!"\(String(describing: error))".contains("s3cret"))
    }

    /// The three empty answers of O-28.
    static let empty: [LoopbackServer.Answer] = [
        .raw("HTTP/1.1 204 No Content\r\n\r\n"),
        .raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ]

    // O-28
    @Test(arguments: zip([0, 1, 2], [204, 205, 200]))
    func anEmptyBodyIsAValueWhereTheTypeHasOne(index: Int, status: Int) async throws {
        let server = try LoopbackServer(script: [Self.empty[index]])
        let url = server.url("/")
        try await Endpoint<Void>.get(url, decode: EndpointExpectation.emptyResponse).load(on: stack)
        try await Endpoint<Void>.get(url, decode: EndpointExpectation.ignoreResponse).load(
            on: stack
        )
        #expect(try await Endpoint<Todo?>.json(url).load(on: stack) == nil)
        #expect(try await Endpoint<String>.json(url).load(on: stack) == "")
        let error = await #expect(throws: ResponseBodyError.self) {
            _ = try await Endpoint<Todo>.json(url).load(on: stack)
        }
        #expect(error?.kind == .empty)
        #expect(error?.status == status)
        #expect(error?.description.contains("empty body") == true)
        #expect(error?.description.contains("\(status)") == true)
    }

    @Test func aBodyWhereNoneIsExpectedIsAnError() async throws {
        let server = try LoopbackServer(script: [.text("abc")])
        let endpoint = Endpoint<Void>.get(
            server.url("/"),
            decode: EndpointExpectation.emptyResponse
        )
        let error = await #expect(throws: ResponseBodyError.self) {
            try await endpoint.load(on: stack)
        }
        #expect(error?.kind == .notEmpty(count: 3))
    }

    @Test func aConnectionThatIsRefusedIsAURLError() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.closedPort())/"))
        let error = await #expect(throws: URLError.self) {
            _ = try await Endpoint<Todo>.json(url).load(on: stack)
        }
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.requestMayHaveArrived == false)
    }

    @Test func aRequestThatCanNotBeSentIsRefusedBeforeAnythingIs() async throws {
        let server = try LoopbackServer(script: [.text("")])
        var urls = [try #require(URL(string: "ftp://127.0.0.1:\(server.port)/"))]
        urls.append(try #require(URL(string: "/relative")))
        for url in urls {
            await #expect(throws: InvalidRequest.self) {
                _ = try await Endpoint<Todo>.json(url).load(on: stack)
            }
        }
        var endpoint = Endpoint<Todo>.json(server.url("/"))
        endpoint.request.httpMethod = "GET\r\nX-Injected: 1"
        let invalid = endpoint
        await #expect(throws: InvalidRequest.self) { _ = try await invalid.load(on: stack) }
        #expect(server.acceptCount == 0)
    }

    @Test @MainActor func decodingRunsOffTheCallersActor() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        let wasOnMainQueue = try await Endpoint<Bool>.get(server.url("/")) { _, _ in
            MainQueueMark.isHere
        }.load(on: stack)
        #expect(MainQueueMark.isHere)
        #expect(!wasOnMainQueue)
    }

    @Test func aMainActorModelIsDecodedOnTheMainActor() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let endpoint = await Self.mainActorEndpoint(server.url("/"))
        let todo = try await endpoint.load(on: stack)
        #expect(todo.title == "one")
        #expect(todo.wasDecodedOnMainQueue)
    }

    @MainActor static func mainActorEndpoint(_ url: URL) -> Endpoint<MainActorTodo> {
        let decoder = JSONDecoder()
        return Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: decoder.decodeResponse
        )
    }

    @Test func aMainActorDecodersErrorIsDiagnosedToo() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":7}"#), .text("no", status: 404)])
        let endpoint = await Self.mainActorEndpoint(server.url("/"))
        let error = await #expect(throws: DecodingError.self) {
            _ = try await endpoint.load(on: stack)
        }
        #expect(
            "\(String(describing: error))".contains(
                "At title: Expected to decode String but found number instead.")
        )
        let status = await #expect(throws: HTTPStatusError.self) {
            _ = try await endpoint.load(on: stack)
        }
        #expect(status?.body == Data("no".utf8))
    }

    @Test func aDecoderThatReplacesTheMainActorsIsUsed() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        var endpoint = Endpoint<Int>(
            request: URLRequest(method: .get, url: server.url("/")),
            decodeResponse: { (_: Data?, _: HTTPURLResponse, _: MainActor) in 1 }
        )
        endpoint.decodeResponse = { _, _ in 2 }
        #expect(try await endpoint.load(on: stack) == 2)
    }

    @Test @MainActor func aValueThatIsNotSendableComesBackToTheMainActor() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let note = try await Endpoint<Note>.json(server.url("/")).load(on: stack)
        note.title += "!"
        #expect(note.title == "one!")
    }

    @Test func aValueThatIsNotSendableComesBackFromAnywhere() async throws {
        let server = try LoopbackServer(script: [.json(#"[{"title":"one"},{"title":"two"}]"#)])
        let notes = try await Endpoint<[Note]>.json(server.url("/")).load(on: stack)
        notes[0].title += "!"
        #expect(notes.map(\.title) == ["one!", "two"])
    }

    @Test func aBodyOfTheRequestIsSentWithItsTypeOnly() async throws {
        let server = try LoopbackServer(script: [.text("")])
        var request = URLRequest(method: .post, url: server.url("/"))
        request.httpBody = Data("a".utf8)
        request.setHeaderContentType(.text)
        try await Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
            .load(on: stack)
        #expect(server.requests.map(\.bodyText) == ["a"])
        #expect(server.requests.map { $0.values("Content-Type") } == [["text/plain"]])
    }
}
