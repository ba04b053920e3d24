// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// The answers that are read as they come.
@Suite(.timeLimit(.minutes(5)))
struct APIStreamTests {
    private typealias Answer = LoopbackServer.Answer

    private static let head = LoopbackServer.Step.text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n")

    private static func chunk(_ text: String) -> LoopbackServer.Step {
        .text("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    private static let end = LoopbackServer.Step.text("0\r\n\r\n")

    private struct Prompt: Encodable {
        let prompt: String
        var stream = true
    }

    private struct Completion: Decodable {
        struct Choice: Decodable {
            struct Delta: Decodable { let content: String? }
            let delta: Delta
        }
        let choices: [Choice]
    }

    private struct Problem: Decodable, Error, Equatable {
        struct Detail: Decodable, Equatable { let message: String }
        let error: Detail
    }

    private static func token(_ content: String) -> String {
        """
        data: {"id":"c-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":\
        {"content":"\(content)"},"finish_reason":null}]}\n\n
        """
    }

    // Each token is there before the server sends the next one, wherever the network cuts.
    @Test(arguments: stacks)
    func theTokensOfALanguageModelComeOneByOne(stack: String) async throws {
        let words = ["Once", " upon", " a", " tíme", "."]
        let gates = words.map { _ in Gate() }
        let server = try LoopbackServer { _ in
            var steps = [Self.head, Self.chunk(": keep-alive\n\n")]
            for (word, gate) in zip(words, gates) {
                let (start, rest) = (Self.token(word).prefix(30), Self.token(word).dropFirst(30))
                steps += [Self.chunk(String(start)), Self.chunk(String(rest)), .wait(gate)]
            }
            return Answer(steps + [Self.chunk("data: [DONE]\n\n"), Self.end])
        }
        let answer = try await API.over(stack).stream(
            url: server.url("/v1/chat/completions").absoluteString, method: .post,
            body: jsonBody(Prompt(prompt: "Tell me a story.")),
            headers: ["Authorization": "Bearer s3cret"], debug: false)
        var text: [String] = []
        for try await event in answer.events {
            if event.data == "[DONE]" { break }
            let completion: Completion = try event.decoded()
            gates[text.count].open()
            text.append(completion.choices.first?.delta.content ?? "")
        }
        #expect(text == words)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.values("Accept") == ["*/*"])
        #expect(request.values("Content-Type") == ["application/json; charset=UTF-8"])
        let sent = String(decoding: request.body, as: UTF8.self)
        #expect(sent.contains(#""prompt":"Tell me a story.""#))
    }

    @Test(arguments: stacks)
    func aStatusThatIsAFailureIsThrownAtOnce(stack: String) async throws {
        let server = try LoopbackServer(script: [
            .json(#"{"error":{"message":"Too many tokens."}}"#, status: 429)
        ])
        let url = server.url("/").absoluteString
        let plain = try API.over(stack)
        let error = await #expect(throws: HTTPStatusError.self) {
            try await plain.stream(url: url, debug: false)
        }
        #expect(error?.status == 429)
        #expect(error?.localizedFailureReason?.contains("Too many tokens.") == true)
        let make = try #require(standardStacks[stack])
        let api = API(transport: make(), failure: Problem.self)
        let problem = await #expect(throws: Problem.self) {
            try await api.stream(url: url, debug: false)
        }
        #expect(problem?.error.message == "Too many tokens.")
        let again = await #expect(throws: Problem.self) {
            for try await _ in try api.events(url: url, debug: false) {}
        }
        #expect(again == problem)
    }

    @Test(arguments: stacks)
    func eventsGoOnAfterABreak(stack: String) async throws {
        let server = try LoopbackServer(script: [
            Answer([Self.head, Self.chunk("retry: 1\nid: 1\ndata: a\n\n"), .close]),
            Answer([Self.head, Self.chunk("id: 2\ndata: b\n\n"), Self.end]),
            .respond(204),
        ])
        var data: [String] = []
        let events = try API.over(stack).events(
            url: server.url("/news/{topic}").absoluteString.removingPercentEncoding ?? "",
            pathParams: ["topic": "a/b"], debug: false)
        for try await event in events { data.append(event.data) }
        #expect(data == ["a", "b"])
        #expect(server.requests.map { $0.values("Last-Event-ID") } == [[], ["1"], ["2"]])
        #expect(
            server.requests.map { $0.values("Accept") }
                == Array(repeating: ["text/event-stream"], count: 3))
        #expect(server.requests.allSatisfy { $0.path == "/news/a%2Fb" })
    }

    @Test(arguments: stacks)
    func linesAndValues(stack: String) async throws {
        let server = try LoopbackServer { _ in
            .respond(
                200, [("Content-Type", "application/x-ndjson")],
                body: "{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"name\":\"B\"}\n")
        }
        let api = try API.over(stack)
        let url = server.url("/").absoluteString
        var lines: [String] = []
        for try await line in try await api.stream(url: url, debug: false).lines {
            lines.append(line)
        }
        #expect(lines == [#"{"id":1,"name":"A"}"#, #"{"id":2,"name":"B"}"#])
        var users: [User] = []
        let answer = try await api.stream(url: url, debug: false)
        for try await user in answer.jsonLines(of: User.self) { users.append(user) }
        #expect(users == [User(id: 1, name: "A"), User(id: 2, name: "B")])
    }

    @Test func whatCannotBeSentIsAnErrorBefore() throws {
        #expect(throws: InvalidRequest.self) {
            try API.shared.events(url: "https://host/{x}")
        }
    }
}
