// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct UserMessageTests {
    private struct Model: Decodable { let title: String }

    private struct Worded: LocalizedError {
        var errorDescription: String?
    }

    private struct Bare: Error {}

    @Test func aCancellationSaysSo() {
        #expect(userMessage(for: CancellationError()) == "The request was cancelled.")
        #expect(userMessage(for: URLError(.cancelled)) == "The request was cancelled.")
    }

    @Test func aDecodingErrorHidesPathAndExcerpt() throws {
        let error = #expect(throws: DecodingError.self) {
            let _: Model = try JSONDecoder.httpDefault.decode(
                Data(#"{"title":7}"#.utf8),
                status: 200,
                url: nil
            )
        }
        let message = userMessage(for: try #require(error))
        #expect(message == "The server's answer could not be read.")
    }

    @Test func aStatusErrorSpeaksTheServersWords() {
        let error = HTTPStatusError(
            status: 403,
            headers: ["Content-Type": "application/problem+json"],
            url: URL(string: "http://h")!,
            body: Data(#"{"title":"Out of credit"}"#.utf8)
        )
        #expect(userMessage(for: error) == "Out of credit")
    }

    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, "There is no internet connection."),
        (.timedOut, "The server did not answer in time."),
        (.cannotFindHost, "The server could not be found."),
        (.dnsLookupFailed, "The server could not be found."),
        (.cannotConnectToHost, "The server could not be reached."),
        (.networkConnectionLost, "The connection to the server was lost."),
        (.serverCertificateUntrusted, "A secure connection to the server could not be made."),
        (.secureConnectionFailed, "A secure connection to the server could not be made."),
        (.unknown, "The request failed."),
    ])
    func aTransportErrorHasASentence(code: URLError.Code, sentence: String) {
        #expect(userMessage(for: URLError(code)) == sentence)
    }

    @Test func aTransportErrorsOwnSentenceWins() {
        let error = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "h was slow."])
        #expect(userMessage(for: error) == "h was slow.")
    }

    @Test func anErrorWithWordsSpeaksThem() {
        #expect(userMessage(for: Worded(errorDescription: "Ours.")) == "Ours.")
        #expect(userMessage(for: InvalidRequest(.url, "No URL.")) == "No URL.")
        let error = NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "Theirs."])
        #expect(userMessage(for: error) == "Theirs.")
        #expect(userMessage(for: ResponseBodyError(.empty)).contains("empty"))
    }

    @Test func anErrorWithoutWordsGetsAPlainSentence() {
        #expect(userMessage(for: Bare()) == "Something went wrong.")
        #expect(userMessage(for: Worded()) == "Something went wrong.")
        #expect(userMessage(for: NSError(domain: "d", code: 1)) == "Something went wrong.")
    }
}
