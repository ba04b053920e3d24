// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

@testable import HTTPActor

struct JSONDecoderValueInternalTests {
    private func value<T: Decodable>(
        _ type: T.Type = T.self,
        _ bytes: [UInt8],
        charset: String = "utf-8"
    ) throws -> T {
        let response = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain; charset=\(charset)"],
            url: try #require(URL(string: "http://h/p")),
            body: ResponseBody()
        )
        return try JSONDecoder.httpDefault.value(of: Data(bytes), in: response)
    }

    // O-30
    @Test func textIsAStringAndBytesAreData() throws {
        #expect(try value(String.self, [0x63, 0xE9], charset: "iso-8859-1") == "cé")
        #expect(try value(String?.self, [0x63, 0xE9], charset: "iso-8859-1") == "cé")
        #expect(try value(Data.self, [0xFF, 0x00]) == Data([0xFF, 0x00]))
        #expect(try value(Data?.self, [0xFF, 0x00]) == Data([0xFF, 0x00]))
        #expect(throws: ResponseBodyError.self) { try value(String.self, [0xFF]) }
        #expect(try value([Int].self, Array("[1]".utf8)) == [1])
    }

    // O-28
    @Test func noBytesAreNoTextNoDataOrNil() throws {
        #expect(try value(String.self, []) == "")
        #expect(try value(String?.self, []) == nil)
        #expect(try value(Data.self, []) == Data())
        #expect(try value(Data?.self, []) == nil)
        #expect(throws: ResponseBodyError.self) { try value([Int].self, []) }
    }
}
