// SPDX-License-Identifier: MIT

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension JSONDecoder {
    /// Decodes the JSON body of a response.
    ///
    /// Fits `Endpoint(request:decodeResponse:)`. An empty body gives nil for an optional, `""` for `String` and empty `Data`.
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

    /// Makes a value of a response's body: the text for `String`, the bytes for `Data`, else JSON.
    package func value<T: Decodable>(of data: Data, in response: HTTPResponse) throws -> T {
        switch T.self {
        case is String.Type,
            is String?.Type where !data.isEmpty:
            let text = try TextDecoding.decode(data, contentType: response.headers["Content-Type"])
            if let text = text as? T { return text }
        case is Data.Type,
            is Data?.Type where !data.isEmpty:
            if let data = data as? T { return data }
        default:
            break
        }
        return try decode(data, status: response.status, url: response.url)
    }

    package func decode<T: Decodable>(_ data: Data?, status: Int, url: URL?) throws -> T {
        guard let data, !data.isEmpty else {
            return try valueOfEmptyBody(status: status, url: url)
        }
        do {
            return try decode(T.self, from: data)
        } catch let error as DecodingError {
            throw DecodingDiagnosis(of: error, in: data).error
        } catch {
            throw error
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

/// What a 2xx with no content means for a type.
package func valueOfEmptyBody<T>(status: Int, url: URL?) throws -> T {
    if let type = T.self as? any EmptyBodyValue.Type, let value = type.ofEmptyBody as? T {
        return value
    }
    throw ResponseBodyError(.empty, status: status, url: url)
}

/// A type that has a value for an empty body.
private protocol EmptyBodyValue {
    static var ofEmptyBody: Self { get }
}

extension Optional: EmptyBodyValue {
    fileprivate static var ofEmptyBody: Self { nil }
}

extension String: EmptyBodyValue {
    fileprivate static var ofEmptyBody: String { "" }
}

extension Data: EmptyBodyValue {
    fileprivate static var ofEmptyBody: Data { Data() }
}

/// Date and time as RFC 3339, section 5.6 writes them.
enum InternetDate {
    /// Foundation's own reader wants a fraction always or never before macOS 26 and iOS 26, so the
    /// fraction is taken out and added by hand.
    static func parse(_ text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        guard let dot = text.lastIndex(where: { $0 == "." || $0 == "," }) else {
            return formatter.date(from: text)
        }
        let digits = text[text.index(after: dot)...].prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty, let fraction = Double("0.\(digits)") else { return nil }
        let whole = text[..<dot] + text[digits.endIndex...]
        return formatter.date(from: String(whole))?.addingTimeInterval(fraction)
    }
}
