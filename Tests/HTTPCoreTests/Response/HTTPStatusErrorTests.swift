// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPStatusErrorTests {
    private static let url = URL(string: "https://user:hunter2@h/p/q?token=abc123&x=1#f")!

    private func error(
        _ status: Int = 404,
        _ body: String = "",
        type: String = "application/json"
    ) -> HTTPStatusError {
        HTTPStatusError(
            status: status,
            headers: ["Content-Type": type],
            url: Self.url,
            body: Data(body.utf8)
        )
    }

    // O-31
    @Test func statusHeadersURLAndBodyAreAsSent() {
        let error = error(502, "<html>502</html>    ", type: "text/html")
        #expect(error.status == 502)
        #expect(error.headers["content-type"] == "text/html")
        #expect(error.url == Self.url)
        #expect(error.body == Data("<html>502</html>    ".utf8))
        #expect(error.localizedFailureReason == "<html>502</html>    ")
    }

    @Test func itIsAnNSErrorForWhoCatchesOne() {
        var caught: NSError?
        do {
            throw error(418) as any Error
        } catch let error as NSError {
            caught = error
        } catch {
            Issue.record("a status error is an NSError")
        }
        #expect(caught?.code == 418)
        #expect(caught?.domain == HTTPStatusError.errorDomain)
        #expect(caught is HTTPStatusError)
    }

    @Test func theSentenceNamesTheStatus() {
        let sentence = error(404, #"{"detail":"not shown"}"#).localizedDescription
        #expect(sentence.contains("404"))
        #expect(!sentence.contains("not shown"))
        #expect(!sentence.contains("hunter2"))
    }

    // RFC 9457, section 3.1
    @Test(arguments: [
        (#"{"title":"Out of credit","detail":"You need 30."}"#, "Out of credit: You need 30."),
        (#"{"title":"Out of credit"}"#, "Out of credit"),
        (#"{"detail":"You need 30.","title":""}"#, "You need 30."),
        (#"{"type":"about:blank","detail":"You need 30.","extra":[1]}"#, "You need 30."),
        (#"{"detail":"Bearer s3cret-1 has expired"}"#, "Bearer ••• has expired"),
        (
            #"{"title":"No","detail":"See https://u:p@h/?token=p"}"#,
            "No: See https://•••@h/?token=•••"
        ),
    ])
    func aProblemsOwnWordsAreTheSentence(body: String, sentence: String) {
        for type in ["application/problem+json", "Application/Problem+JSON; charset=utf-8"] {
            #expect(error(403, body, type: type).localizedDescription == sentence)
            #expect((error(403, body, type: type) as any Error).localizedDescription == sentence)
        }
    }

    @Test(arguments: ["", "{}", "[]", "no json", #"{"title":7}"#, #"{"title":"","detail":""}"#])
    func aProblemWithoutWordsGetsTheUsualSentence(body: String) {
        let error = error(403, body, type: "application/problem+json")
        #expect(error.localizedDescription == self.error(403).localizedDescription)
    }

    @Test func theReasonIsTheBodyPrettyPrintedWhenItIsJSON() {
        let body = #"{"b":[1,true],"a":"x/y"}"#
        let pretty = "{\n  \"a\" : \"x/y\",\n  \"b\" : [\n    1,\n    true\n  ]\n}"
        #expect(error(400, body).localizedFailureReason == pretty)
        // What it is decides, not what it is called.
        #expect(error(400, body, type: "text/plain").localizedFailureReason == pretty)
        #expect(error(400, "7").localizedFailureReason == "7")
        #expect(error(400, "{cut").localizedFailureReason == "{cut")
        #expect(error(400).localizedFailureReason == nil)
    }

    @Test func theDescriptionHasNeitherQueryNorBodyNorPassword() {
        let error = error(404, #"{"secret":"s3"}"#)
        for text in [
            error.description, error.debugDescription, "\(error)", "\(error as any Error)",
        ] {
            #expect(text.contains("404"))
            #expect(text.contains("h/p/q"))
            for hidden in ["?", "token", "abc123", "hunter2", "user", "s3", "#f"] {
                #expect(!text.contains(hidden), "\(text)")
            }
        }
    }

    @Test func atMost64KiBOfABodyAreKept() {
        let body = Data(repeating: 0x61, count: 65_537)
        let error = HTTPStatusError(status: 500, headers: [:], url: Self.url, body: body)
        #expect(HTTPStatusError.bodyLimit == 65_536)
        #expect(error.body == body.prefix(65_536))
        #expect(error.localizedFailureReason?.utf8.count == 65_536)
    }

    @Test func aSlicesBodyCountsFromZero() {
        let slice = Data("abcdef".utf8).dropFirst(3)
        let error = HTTPStatusError(status: 500, headers: [:], url: Self.url, body: slice)
        #expect(error.body.startIndex == 0)
        #expect(error.body == Data("def".utf8))
    }

    @Test func fieldsOfFoundationsTypeAreSortedByName() throws {
        let response = try #require(
            HTTPURLResponse(
                url: Self.url,
                statusCode: 200,
                httpVersion: nil,
                headerFields: ["X-B": "2", "X-A": "1", "X-C": "3"]
            )
        )
        #expect(HTTPFields(of: response).map(\.name) == ["X-A", "X-B", "X-C"])
        #expect(HTTPFields(of: response).map(\.value) == ["1", "2", "3"])
    }
}
