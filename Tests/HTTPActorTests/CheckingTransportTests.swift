// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What a call throws when the status is no success.
@Suite(.timeLimit(.minutes(5)))
struct CheckingTransportTests {
    private struct Problem: Decodable, LocalizedError, Equatable {
        let errorCode: Int
        let since: Date
        var errorDescription: String? { "Problem \(errorCode)." }
    }

    private static let json = #"{"error_code":7,"since":"2026-05-25T22:46:27Z"}"#
    private static let problem = Problem(
        errorCode: 7, since: Date(timeIntervalSince1970: 1_779_749_187))

    private func api() -> API {
        let decoder = JSONDecoder.httpDefault
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return API(transport: standardStack(), decoder: decoder, failure: Problem.self)
    }

    @Test(arguments: [400, 404, 500])
    func theTypeThatTheAPINamesIsThrown(status: Int) async throws {
        let server = try LoopbackServer { _ in .json(Self.json, status: status) }
        let (api, url) = (api(), server.url("/").absoluteString)
        var problem = await #expect(throws: Problem.self) {
            let _: User = try await api.request(url: url, method: .get, debug: false)
        }
        #expect(problem == Self.problem)
        problem = await #expect(throws: Problem.self) {
            try await api.request(url: url, method: .delete, debug: false)
        }
        #expect(problem == Self.problem)
        problem = await #expect(throws: Problem.self) {
            try await api.upload(url: url, form: MultipartForm(), debug: false)
        }
        #expect(problem == Self.problem)
        let folder = try Folder()
        problem = await #expect(throws: Problem.self) {
            try await api.download(
                url: url, to: folder.url.appendingPathComponent("f"), debug: false)
        }
        #expect(problem == Self.problem)
        #expect(userMessage(for: try #require(problem)) == "Problem 7.")
    }

    @Test(arguments: ["", "<html>", "{}", #"{"error_code":"x"}"#])
    func whatDoesNotDecodeStaysAStatusError(body: String) async throws {
        let server = try LoopbackServer { _ in .respond(502, body: body) }
        let api = api()
        let error = await #expect(throws: HTTPStatusError.self) {
            let _: User = try await api.request(
                url: server.url("/").absoluteString, method: .get, debug: false)
        }
        #expect(error?.status == 502)
        #expect(error?.body == Data(body.utf8))
    }

    @Test func withoutATypeItIsAStatusError() async throws {
        let server = try LoopbackServer { _ in .json(Self.json, status: 404) }
        let error = await #expect(throws: HTTPStatusError.self) {
            try await API(transport: standardStack()).request(
                url: server.url("/").absoluteString, method: .get, debug: false)
        }
        #expect(error?.status == 404)
    }

    /// The decoder is the API's own: keys, dates and all.
    @Test func theDecoderIsTheCallers() async throws {
        struct Person: Codable, Equatable {
            let firstName: String
            let bornOn: Date
        }
        let server = try LoopbackServer { request in
            request.method == "POST"
                ? .respond(200, [("Content-Type", "application/json")], body: request.body)
                : .json(#"{"first_name":"Ada","born_on":-4878748800000}"#)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .millisecondsSince1970
        let api = API(transport: standardStack(), decoder: decoder)
        let url = server.url("/").absoluteString
        let ada: Person = try await api.request(url: url, method: .get, debug: false)
        #expect(
            ada == Person(firstName: "Ada", bornOn: Date(timeIntervalSince1970: -4_878_748_800)))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .millisecondsSince1970
        let echo: Person = try await api.request(
            url: url, method: .post, body: jsonBody(ada, encoder: encoder), debug: false)
        #expect(echo == ada)
    }
}
