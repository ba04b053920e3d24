// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct DecodingDiagnosisTests {
    private struct List: Decodable { let todos: [Todo] }
    private struct Todo: Decodable { let title: String }
    private struct Small: Decodable { let n: Int8 }
    private struct Role: Decodable {
        enum Name: String, Decodable { case admin }
        let token: Name
    }
    private struct Own: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "Expected an even number.")
            )
        }
    }

    /// The context's words, and which kind of error it was.
    private func diagnosis<T: Decodable>(
        _ type: T.Type,
        _ json: String
    ) throws -> (kind: String, path: [String], text: String) {
        let thrown = #expect(throws: DecodingError.self) {
            let _: T = try JSONDecoder.httpDefault.decode(Data(json.utf8), status: 200, url: nil)
        }
        let (kind, context) =
            switch try #require(thrown) {
            case .typeMismatch(_, let context): ("typeMismatch", context)
            case .valueNotFound(_, let context): ("valueNotFound", context)
            case .keyNotFound(_, let context): ("keyNotFound", context)
            case .dataCorrupted(let context): ("dataCorrupted", context)
            @unknown default: throw CancellationError()
            }
        return (kind, context.codingPath.map(\.stringValue), context.debugDescription)
    }

    @Test func aWrongTypeSaysWhereWhatAndWhatCame() throws {
        let json = #"{"todos":[{"title":"a"},{"title":7}]}"#
        let (kind, path, text) = try diagnosis(List.self, json)
        #expect(kind == "typeMismatch")
        #expect(path.count == 3)
        #expect(
            text
                == "At todos[1].title: Expected to decode String but found number instead. In: \(json)"
        )
    }

    // The decoder's own words say both what was expected and what came.
    @Test(arguments: [("7", "number"), ("true", "bool"), ("[]", "array"), ("{}", "dictionary")])
    func whatCameIsNamed(json: String, found: String) throws {
        let text = try diagnosis(Todo.self, #"{"title":\#(json)}"#).text
        #expect(text.hasPrefix("At title: "))
        #expect(text.contains("String"))
        #expect(text.contains(found))
        #expect(text.hasSuffix(#"In: {"title":\#(json)}"#))
    }

    @Test func anObjectIsExpectedWhereAnArrayCame() throws {
        let text = try diagnosis(Todo.self, "[1]").text
        #expect(
            text
                == "At the top level: Expected to decode Dictionary<String, Any> but found an array instead. In: [1]"
        )
    }

    @Test func anArrayIsExpectedWhereAnObjectCame() throws {
        let text = try diagnosis(List.self, #"{"todos":{}}"#).text
        let words = "At todos: Expected to decode Array<Any> but found a dictionary instead. In: "
        #expect(text == words + #"{"todos":{}}"#)
    }

    @Test func placesInNestedArraysAreNamed() throws {
        let text = try diagnosis([[Int]].self, #"[[1],[2,"x"]]"#).text
        #expect(
            text
                == #"At [1][1]: Expected to decode Int but found a string instead. In: [[1],[2,"x"]]"#
        )
    }

    @Test func aNullSaysSo() throws {
        let (kind, _, text) = try diagnosis(Todo.self, #"{"title":null}"#)
        #expect(kind == "valueNotFound")
        #expect(text.hasPrefix("At title: "))
        #expect(text.contains("String"))
        #expect(text.hasSuffix(#"found null value instead. In: {"title":null}"#))
    }

    @Test func anArrayThatIsTooShortIsNamed() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var items = try decoder.unkeyedContainer()
                _ = try (items.decode(Int.self), items.decode(Int.self))
            }
        }
        let (kind, _, text) = try diagnosis(Pair.self, "[1]")
        #expect(kind == "valueNotFound")
        #expect(text.hasPrefix("At [1]: Unkeyed container is at end. In: [1]"))
    }

    @Test func aMissingKeyShowsTheKeysThatCame() throws {
        let (kind, _, text) = try diagnosis(List.self, #"{"todos":[{"name":"x","id":1}]}"#)
        #expect(kind == "keyNotFound")
        let words = #"At todos[0]: expected the key "title", found the keys "#
        #expect(text.hasPrefix(words + #""id", "name". In: "#))
        let none = try diagnosis(Todo.self, "{}").text
        #expect(
            none
                == #"At the top level: expected the key "title", found no keys. In: {}"#
        )
    }

    @Test func aNumberThatDoesNotFitIsNamed() throws {
        let (kind, _, text) = try diagnosis(Small.self, #"{"n":300}"#)
        #expect(kind == "dataCorrupted")
        // Foundation calls that invalid JSON and does not say where.
        #expect(text.contains(": a number does not fit its type. In: "))
        #expect(!text.contains("valid JSON"))
    }

    @Test func theWordsOfATypesOwnDecodingStay() throws {
        let text = try diagnosis([Own].self, "[3]").text
        #expect(text == "At [0]: Expected an even number. In: [3]")
    }

    // O-31
    @Test(arguments: ["<html>502</html>", "{\"todos\":[", "{'title':1}", "\u{0}"])
    func whatIsNoJSONSaysSo(body: String) throws {
        let (kind, _, text) = try diagnosis(List.self, body)
        #expect(kind == "dataCorrupted")
        #expect(text.hasPrefix("At the top level: expected JSON, found text that is none. In: "))
        #expect(text.hasSuffix(body))
    }

    @Test func theKeysThatCameAreBounded() throws {
        let members = (1...9_999).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(try diagnosis(Todo.self, "{\(members)}").text.count < 1_000)
        let long = String(repeating: "k", count: 9_999)
        #expect(try diagnosis(Todo.self, #"{"\#(long)":1}"#).text.count < 1_000)
    }

    @Test func theExcerptIsBounded() throws {
        let long = String(repeating: "é", count: 5_000)
        let text = try diagnosis(Todo.self, #"{"a":"\#(long)","title":7}"#).text
        #expect(text.count < 400)
        #expect(text.hasSuffix("…"))
    }

    @Test func theExcerptIsMasked() throws {
        let json = #"{"password":"hunter2","user":{"token":{"id":"abc123"}},"title":7}"#
        let text = try diagnosis(Todo.self, json).text
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("abc123"))
    }

    @Test func aSecretThatTheExcerptsEndCutsIsMasked() throws {
        for length in 2_300..<2_420 {
            let filler = String(repeating: "x", count: length)
            let json =
                #"{"title":7,"password":"hunter2","f":"\#(filler)","token":"hunter2 hunter2"}"#
            #expect(!(try diagnosis(Todo.self, json).text.contains("hunter")))
        }
    }

    @Test func theWordsOfTheDecoderShowNoSecretEither() throws {
        let text = try diagnosis(Role.self, #"{"token":"hunter2"}"#).text
        #expect(text.hasPrefix("At token: "))
        #expect(!text.contains("hunter2"))
    }
}
