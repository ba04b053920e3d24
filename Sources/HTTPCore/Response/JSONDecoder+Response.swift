// SPDX-License-Identifier: MIT

public import Foundation

extension JSONDecoder {
    /// Decodes the JSON body of a response.
    ///
    /// Fits `Endpoint(request:decodeResponse:)`. An empty body gives nil for an optional, `""` for
    /// `String` and empty `Data`.
    ///
    /// - Throws: `DecodingError` whose context says where, what was expected, what came, and shows an
    ///   excerpt without secrets; ``ResponseBodyError`` of kind `empty`.
    @Sendable public func decodeResponse<T: Decodable & SendableMetatype>(
        _ data: Data?, _ response: HTTPURLResponse
    ) throws -> T {
        try decode(data, status: response.statusCode, url: response.url)
    }

    /// Decodes a type whose conformance belongs to the main actor, and runs there.
    @_disfavoredOverload
    @Sendable public func decodeResponse<T: Decodable>(
        _ data: Data?, _ response: HTTPURLResponse, _: MainActor
    ) throws -> T {
        try decode(data, status: response.statusCode, url: response.url)
    }

    package func decode<T: Decodable>(_ data: Data?, status: Int?, url: URL?) throws -> T {
        guard let data, !data.isEmpty else {
            // What no content means for a type. Nil first, which is an optional text's value too.
            for value in [Any?.none as Any, "", Data()] {
                if let value = value as? T { return value }
            }
            throw ResponseBodyError(.empty, status: status, url: url)
        }
        do {
            return try decode(T.self, from: data)
        } catch let error as DecodingError {
            throw error.diagnosed(in: data)
        }
    }

    /// A decoder that reads ISO 8601 dates with and without a fraction (RFC 3339, section 5.6): what is
    /// used unless you pass one.
    public static var httpDefault: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = InternetDate.parse(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "Expected an ISO 8601 date and time.")
            }
            return date
        }
        return decoder
    }
}

/// Date and time as RFC 3339, section 5.6 writes them.
enum InternetDate {
    /// Read by hand: Foundation's own reader wants a fraction always or never before macOS 26 and iOS
    /// 26, on Linux takes 30 February for 2 March, and is slow.
    static func parse(_ text: String) -> Date? {
        let range = NSRange(text.startIndex..., in: text)
        guard let match = layout?.firstMatch(in: text, range: range) else { return nil }
        let parts = (0...10).map { Range(match.range(at: $0), in: text).map { text[$0] } ?? "" }
        let numbers = parts.map { Int32($0) ?? 0 }
        var day = tm()
        (day.tm_year, day.tm_mon, day.tm_mday) = (numbers[1] - 1900, numbers[2] - 1, numbers[3])
        let start = timegm(&day)
        // By now 30 February has become 2 March.
        guard day.tm_mon == numbers[2] - 1 else { return nil }
        let minutes = numbers[4] * 60 + numbers[5]
        let offset = (numbers[9] * 60 + numbers[10]) * (parts[8] == "-" ? -1 : 1)
        let seconds = Double((minutes - offset) * 60 + numbers[6]) + (Double("0.\(parts[7])") ?? 0)
        return Date(timeIntervalSince1970: Double(start) + seconds)
    }

    private static let layout = try? NSRegularExpression(
        pattern: "^([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9])"
            + #":([0-5][0-9]|60)(?:[.,]([0-9]+))?(?:Z|([+-])([01][0-9]|2[0-3]):?([0-5][0-9]))\z"#,
        options: .caseInsensitive
    )
}
