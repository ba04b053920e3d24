// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct HTTPBodyTests {
    private struct Todo: Encodable {
        let id: Int
        let title: String
        let due: Date
        let link: String
    }

    private struct CSV: HTTPBody {
        let rows: [[String]]

        func encoded() throws -> (data: Data, contentType: String) {
            (Data(rows.map { $0.joined(separator: ",") }.joined(separator: "\n").utf8), "text/csv")
        }
    }

    private struct Broken: Encodable {
        struct Reason: Error {}

        func encode(to encoder: any Encoder) throws { throw Reason() }
    }

    private func text(_ body: any HTTPBody) throws -> String {
        String(decoding: try body.encoded().data, as: UTF8.self)
    }

    @Test func jsonIsExactWithISODatesAndPlainSlashes() throws {
        let encoder = JSONEncoder.httpDefault
        encoder.outputFormatting.insert(.sortedKeys)
        let todo = Todo(
            id: 7,
            title: "é \"q\"",
            due: Date(timeIntervalSince1970: 1_779_749_187),
            link: "https://h/p"
        )
        let body = jsonBody(todo, encoder: encoder)
        let json =
            #"{"due":"2026-05-25T22:46:27Z","id":7,"link":"https://h/p","title":"é \"q\""}"#
        #expect(try text(body) == json)
        // O-07: a body says what it is.
        #expect(try body.encoded().contentType == "application/json; charset=UTF-8")
    }

    @Test func jsonFragmentsAreBodiesToo() throws {
        #expect(try text(jsonBody(["a": 1])) == #"{"a":1}"#)
        #expect(try text(jsonBody([1, 2])) == "[1,2]")
        #expect(try text(jsonBody("a/b")) == #""a/b""#)
    }

    @Test func aValueThatCannotBeEncodedThrowsWhenTheBodyIsMade() {
        #expect(throws: Broken.Reason.self) { try jsonBody(Broken()).encoded() }
    }

    // O-06
    @Test func formEscapesWhatAFormParserWouldRead() throws {
        let body: any HTTPBody = .form([("user", "a b"), ("pw", "p+q&r=s%é😀")])
        let bytes = "user=a+b&pw=p%2Bq%26r%3Ds%25%C3%A9%F0%9F%98%80"
        #expect(try text(body) == bytes)
        #expect(try body.encoded().contentType == "application/x-www-form-urlencoded")
    }

    @Test func formOfADictionaryIsSortedByName() throws {
        let body: (any HTTPBody)? = .form(["b": "2", "a": "1", "c": ""])
        #expect(try body.map(text) == "a=1&b=2&c=")
    }

    @Test func formOfPairsKeepsOrderAndRepeats() throws {
        let body: (any HTTPBody)? = .form([("b", "2"), ("a", "1"), ("b", "3")])
        #expect(try body.map(text) == "b=2&a=1&b=3")
    }

    // WHATWG URL, section 5.2: these alone stay as they are.
    @Test func formKeepsLettersDigitsAndFourMarks() throws {
        let kept = "azAZ09*-._"
        #expect(try text(FormBody([(kept, "~!'()\r\n\0")])) == "\(kept)=%7E%21%27%28%29%0D%0A%00")
    }

    @Test func formWithoutPairsIsEmpty() throws {
        #expect(try FormBody([]).encoded().data.isEmpty)
    }

    // O-07
    @Test func rawBytesAreSentAsTheyAre() throws {
        let body = RawBody(data: Data([0, 0x0D, 0x0A, 0xFF]), contentType: "application/x-own")
        let (data, contentType) = try body.encoded()
        #expect(Array(data) == [0, 0x0D, 0x0A, 0xFF])
        #expect(contentType == "application/x-own")
    }

    @Test func aTypeOfOnesOwnIsABody() throws {
        let body = CSV(rows: [["a", "b"], ["1", "2"]])
        #expect(try text(body) == "a,b\n1,2")
        #expect(try body.encoded().contentType == "text/csv")
    }
}
