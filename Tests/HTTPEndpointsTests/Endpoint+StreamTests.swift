// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

/// Answers of endpoints that are read as they come, and failures that say more than a status.
@Suite(.timeLimit(.minutes(5)))
struct EndpointStreamTests {
    private struct Problem: Decodable, Error, Equatable { let errorCode: Int }
    private struct OwnError: Error {}

    private let stack = standardStack()

    private static let head = LoopbackServer.Step.text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")

    private func events(_ url: URL) -> Endpoint<Void> {
        Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: EndpointExpectation.ignoreResponse)
    }

    @Test func eventsComeOneByOne() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let server = try LoopbackServer { request in
            LoopbackServer.Answer(
                [Self.head]
                    + gates.enumerated().flatMap { [.text("data: \($0)\n\n"), .wait($1)] },
                keepsAlive: false)
        }
        var endpoint = events(server.url("/"))
        endpoint.request.httpMethod = "POST"
        endpoint.body = .data(Data("prompt".utf8))
        var data: [String] = []
        for try await event in try await endpoint.stream(on: stack).events {
            gates[data.count].open()
            data.append(event.data)
        }
        #expect(data == ["0", "1", "2"])
        #expect(server.requests.map(\.body) == [Data("prompt".utf8)])
    }

    @Test func theProcesssOwnStackIsTheDefault() async throws {
        let server = try LoopbackServer { _ in .text("a\nb") }
        var lines: [String] = []
        for try await line in try await events(server.url("/")).stream().lines {
            lines.append(line)
        }
        #expect(lines == ["a", "b"])
    }

    @Test func aHeadThatTheValidatorRefusesIsAnErrorWithItsBody() async throws {
        let server = try LoopbackServer { _ in .json(#"{"errorCode":7}"#, status: 429) }
        let endpoint = events(server.url("/"))
        let error = await #expect(throws: HTTPStatusError.self) {
            try await endpoint.stream(on: stack)
        }
        #expect(error?.status == 429)
        #expect(error?.body == Data(#"{"errorCode":7}"#.utf8))
    }

    /// The body of what is refused for another reason is not waited for.
    @Test func anErrorOfTheValidatorsOwnComesAsItIs() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Answer([Self.head, .hold]) }
        var endpoint = events(server.url("/"))
        endpoint.validateResponse = { _ in throw OwnError() }
        await #expect(throws: OwnError.self) { try await endpoint.stream(on: stack) }
        #expect(await server.waitForOpenConnections(0))
    }

    @Test func theErrorThatTheEndpointMakesIsThrown() async throws {
        let server = try LoopbackServer { _ in .json(#"{"error_code":7}"#, status: 404) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var endpoint = events(server.url("/"))
        endpoint.decodeFailure = { try? decoder.decode(Problem.self, from: $0.body) }
        var problem = await #expect(throws: Problem.self) { try await endpoint.load(on: stack) }
        #expect(problem == Problem(errorCode: 7))
        problem = await #expect(throws: Problem.self) { try await endpoint.stream(on: stack) }
        #expect(problem == Problem(errorCode: 7))
        let result = await withCheckedContinuation { continuation in
            URLSession.shared.dataTask(endpoint: endpoint) { continuation.resume(returning: $0) }
                .resume()
        }
        problem = #expect(throws: Problem.self) { try result.get() }
        #expect(problem == Problem(errorCode: 7))
    }

    @Test(arguments: ["", "{}", "<html>"])
    func whatDoesNotDecodeStaysAStatusError(body: String) async throws {
        let server = try LoopbackServer { _ in .respond(404, body: body) }
        var endpoint = events(server.url("/"))
        endpoint.decodeFailure = { try? JSONDecoder().decode(Problem.self, from: $0.body) }
        let error = await #expect(throws: HTTPStatusError.self) {
            try await endpoint.load(on: stack)
        }
        #expect(error?.status == 404)
        #expect(error?.body == Data(body.utf8))
    }

    /// What an endpoint makes of a failure may know its status.
    @Test func aFailureCanKeepTheStatus() async throws {
        struct Failure: Error { let status: Int }
        let server = try LoopbackServer { _ in .respond(418, body: "") }
        var endpoint = events(server.url("/"))
        endpoint.decodeFailure = { Failure(status: $0.status) }
        let error = await #expect(throws: Failure.self) { try await endpoint.load(on: stack) }
        #expect(error?.status == 418)
    }

    @Test func theDecoderIsTheEndpointsOwn() async throws {
        struct Person: Decodable, Equatable {
            let firstName: String
            let bornOn: Date
        }
        let server = try LoopbackServer { _ in
            .json(#"{"first_name":"Ada","born_on":-4878748800}"#)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let endpoint = Endpoint<Person>(
            request: URLRequest(method: .get, url: server.url("/")),
            decodeResponse: decoder.decodeResponse)
        let ada = try await endpoint.load(on: stack)
        #expect(
            ada == Person(firstName: "Ada", bornOn: Date(timeIntervalSince1970: -4_878_748_800)))
    }
}
