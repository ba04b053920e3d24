// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

struct ResponseBodyErrorTests {
    @Test(arguments: [
        (ResponseBodyError.Kind.empty, "empty"), (.tooLarge(limit: 77), "77 bytes"),
        (.alreadyRead, "read once"), (.undecodableText(charset: "utf-8"), "utf-8"),
    ])
    func theSentenceNamesKindAndStatus(kind: ResponseBodyError.Kind, word: String) {
        let error = ResponseBodyError(kind, status: 203)
        #expect(error.description.contains(word))
        #expect(error.description.contains("203"))
        #expect((error as any Error).localizedDescription == error.description)
        #expect(ResponseBodyError(kind).description.contains(word))
    }
}
