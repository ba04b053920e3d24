// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import Testing

struct MainActorJSONLinesTests {
    /// As a new project's models are: its decoding belongs to the main actor, and it can't be shared.
    @MainActor private final class Isolated: @MainActor Decodable {
        enum Keys: CodingKey { case firstName }

        let name: String

        init(from decoder: any Decoder) throws {
            MainActor.assertIsolated()
            name = try decoder.container(keyedBy: Keys.self)
                .decode(String.self, forKey: .firstName)
        }
    }

    @MainActor @Test func valuesAreDecodedOnTheMainActor() async throws {
        let text = "{\"first_name\":\"Ada\"}\n\n{\"first_name\":\"Ann\"}\n{\"first_name\":7}\n"
        let body = ResponseBody(Chunks(String(text.prefix(9)), String(text.dropFirst(9))))
        let url = try #require(URL(string: "http://h/p"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var names: [String] = []
        var failure: DecodingError?
        do {
            let response = HTTPResponse(status: 200, url: url, body: body)
            for try await value in response.jsonLines(of: Isolated.self, decoder: decoder) {
                names.append(value.name)
            }
        } catch let error as DecodingError {
            failure = error
        }
        #expect(names == ["Ada", "Ann"])
        #expect(failure != nil)
    }
}
