// SPDX-License-Identifier: MIT

public import Foundation

/// A value that becomes a request's body: JSON, a form, raw bytes, or a type of your own.
///
/// A model becomes one by `jsonBody(_:encoder:)`, names and values by `.form([…])`, bytes by ``RawBody``.
///
/// ```swift
/// struct CSVBody: HTTPBody {
///     let rows: [[String]]
///
///     func encoded() throws -> (data: Data, contentType: String) {
///         let lines = rows.map { $0.joined(separator: ",") }
///         return (Data(lines.joined(separator: "\n").utf8), "text/csv")
///     }
/// }
/// ```
public protocol HTTPBody: Sendable {
    /// Returns the bytes and their media type.
    ///
    /// What it throws ends the call before anything is sent.
    func encoded() throws -> (data: Data, contentType: String)
}

/// Bytes that are sent as they are.
public struct RawBody: HTTPBody {
    /// The bytes.
    public var data: Data
    /// Their media type, such as `text/csv`.
    public var contentType: String

    /// Creates a body.
    public init(data: Data, contentType: String) {
        self.data = data
        self.contentType = contentType
    }

    public func encoded() throws -> (data: Data, contentType: String) {
        (data, contentType)
    }
}

extension HTTPBody where Self == RawBody {
    /// A form, `application/x-www-form-urlencoded` (WHATWG URL, section 5.2), sorted by name.
    ///
    /// ```
    /// pw=p%2Bq%26r&user=a+b
    /// ```
    public static func form(_ fields: [String: String]) -> RawBody {
        form(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// A form, in the order given, repeats kept.
    public static func form(_ pairs: [(String, String)]) -> RawBody {
        let fields = pairs.map { "\(PercentEncoding.form($0.0))=\(PercentEncoding.form($0.1))" }
        return RawBody(
            data: Data(fields.joined(separator: "&").utf8),
            contentType: ContentType.formURLEncoded.rawValue)
    }
}

/// Returns a body that holds a value as JSON (RFC 8259), `application/json; charset=UTF-8`.
///
/// - Parameters:
///   - value: What to encode, when the request is built.
///   - encoder: By default one that writes dates as ISO 8601.
/// - Returns: A body for a call, or for ``HTTPBody/encoded()``.
public func jsonBody<T: Encodable & Sendable>(
    _ value: T, encoder: JSONEncoder = .httpDefault
) -> some HTTPBody {
    JSONBody { try encoder.encode(value) }
}

/// Returns a body that holds a value as JSON, encoded at once.
///
/// Picked for a type whose conformance belongs to the main actor, which can only be encoded there.
@_disfavoredOverload
public func jsonBody<T: Encodable>(
    _ value: T, encoder: JSONEncoder = .httpDefault
) -> some HTTPBody {
    let result = Result { try encoder.encode(value) }
    return JSONBody { try result.get() }
}

private struct JSONBody: HTTPBody {
    let encode: @Sendable () throws -> Data

    func encoded() throws -> (data: Data, contentType: String) {
        (try encode(), "application/json; charset=UTF-8")
    }
}

extension JSONEncoder {
    /// The encoder that is used unless you pass one: dates as ISO 8601, slashes as they are.
    public static var httpDefault: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }
}
