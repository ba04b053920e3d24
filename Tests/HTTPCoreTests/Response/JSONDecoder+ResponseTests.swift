// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct JSONDecoderResponseTests {
    private struct Dates: Decodable { let d: [Date] }
    private struct Model: Decodable, Equatable { let k: Int }

    private let url = URL(string: "http://h/p")!
    private let decoder = JSONDecoder.httpDefault

    private func decode<T: Decodable & SendableMetatype>(
        _ type: T.Type = T.self,
        _ data: Data?,
        status: Int = 200
    ) throws -> T {
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        )
        return try decoder.decodeResponse(data, response)
    }

    private func dates(_ text: String) throws -> [Date] {
        try decode(Dates.self, Data(#"{"d":["\#(text)"]}"#.utf8)).d
    }

    // O-28
    @Test(arguments: [200, 204, 205], [nil, Data()])
    func anEmptyBodyHasAValueForATypeThatNeedsNoContent(status: Int, body: Data?) throws {
        #expect(try decode(Model?.self, body, status: status) == nil)
        #expect(try decode([Model]?.self, body, status: status) == nil)
        #expect(try decode(String.self, body, status: status) == "")
        #expect(try decode(Data.self, body, status: status) == Data())
    }

    // O-28: not "invalid JSON".
    @Test(arguments: [200, 204, 205])
    func anEmptyBodyIsAnErrorForATypeThatNeedsContent(status: Int) {
        for body in [nil, Data()] {
            let error = #expect(throws: ResponseBodyError.self) {
                try decode(Model.self, body, status: status)
            }
            #expect(error?.kind == .empty)
            #expect(error?.status == status)
            #expect(error?.url == url)
            #expect(error?.localizedDescription.contains("\(status)") == true)
        }
        #expect(throws: ResponseBodyError.self) { try decode([Int].self, Data()) }
    }

    @Test func nullIsNoEmptyBody() throws {
        #expect(try decode(Model?.self, Data("null".utf8)) == nil)
        #expect(throws: DecodingError.self) { try decode(Model.self, Data("null".utf8)) }
        #expect(throws: DecodingError.self) { try decode(Model?.self, Data(" ".utf8)) }
    }

    // O-29
    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try decode(Model.self, Data([0xEF, 0xBB, 0xBF]) + Data(#"{"k":1}"#.utf8)).k == 1)
    }

    // O-32
    @Test(arguments: [
        ("2026-05-25T22:46:27Z", 1_779_749_187.0),
        ("2026-05-25T22:46:27.580Z", 1_779_749_187.58),
        ("2026-05-25T22:46:27.580497Z", 1_779_749_187.580497),
        ("2026-05-25T22:46:27+02:00", 1_779_741_987.0),
        ("2026-05-25T22:46:27.58+02:00", 1_779_741_987.58),
        ("2026-05-25T22:46:27.5-02:30", 1_779_758_187.5),
        ("1969-12-31T23:59:59.25Z", -0.75),
        ("2024-02-29T00:00:00Z", 1_709_164_800.0),
        ("2026-05-25T22:46:27+0200", 1_779_741_987.0), ("2026-05-25t22:46:27z", 1_779_749_187.0),
        ("1990-12-31T23:59:60Z", 662_688_000.0), ("2026-05-25T22:46:27,5Z", 1_779_749_187.5),
        ("0001-01-01T00:00:00Z", -62_135_596_800.0), ("9999-12-31T23:59:59Z", 253_402_300_799.0),
        ("2026-05-25T22:46:27.580497123456789Z", 1_779_749_187.580497),
    ])
    func datesAreReadWithAndWithoutAFraction(text: String, seconds: Double) throws {
        let date = try #require(try dates(text).first)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
    }

    // O-32
    @Test(arguments: [
        "", "today", "1779749187", "2026-05-25", "2026-05-25T22:46:27", "2026-05-25T22:46Z",
        "2026-05-25T22:46:27.Z", "2026-05-25T22:46:27.5", "2026-05-25T22:46:27.-5Z",
        "2026-05-25T22.5:46:27Z", "2026.5-05-25T22:46:27Z", "2026-05-25T22:46:27Z.5",
        "2026-05-25T22:46:27.5Zx", "2026-05-25T22:46:27Z.", "2026-05-25T22:46:27.٣Z",
        "2026-13-25T22:46:27Z", "2026-02-30T22:46:27Z", "2026-05-25T25:46:27Z",
        "2026-02-29T00:00:00Z", "2026-05-00T22:46:27Z", "2026-05-25T22:60:27Z",
        "2026-05-25T22:46:61Z", "2026-05-25T22:46:27+02:99", "2026-05-25T22:46:27+24:00",
        "2026-05-25T22:46:27Z\\n", " 2026-05-25T22:46:27Z", "2026-05-25T22:46:27Zx",
        "٢٠٢٦-05-25T22:46:27Z", "-026-05-25T22:46:27Z", "2026-05-25 22:46:27Z",
    ])
    func whatIsNoDateIsAnErrorAtItsPlace(text: String) throws {
        let error = #expect(throws: DecodingError.self) { try dates(text) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("a string that is no date is corrupted data")
            return
        }
        #expect(context.debugDescription.contains("d[0]"))
    }

    @Test func aNumberIsNoDate() throws {
        #expect(throws: DecodingError.self) {
            try decode(Dates.self, Data(#"{"d":[1779749187]}"#.utf8))
        }
    }

    @MainActor private struct Isolated: @MainActor Decodable { let k: Int }

    @MainActor @Test func aTypeOfTheMainActorIsDecodedThere() throws {
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        )
        let value: Isolated = try decoder.decodeResponse(
            Data(#"{"k":1}"#.utf8),
            response,
            MainActor.shared
        )
        #expect(value.k == 1)
    }
}
