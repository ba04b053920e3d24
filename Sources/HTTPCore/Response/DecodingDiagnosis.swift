// SPDX-License-Identifier: MIT

internal import Foundation

extension DecodingError {
    /// The same error, its context's `debugDescription` replaced by a ``DecodingDiagnosis``.
    func diagnosed(in data: Data) -> DecodingError {
        let diagnosis = DecodingDiagnosis(data: data)
        switch self {
        case .typeMismatch(let type, let context):
            return .typeMismatch(type, diagnosis.expecting(type, context))
        case .valueNotFound(let type, let context):
            return .valueNotFound(type, diagnosis.expecting(type, context))
        case .keyNotFound(let key, let context):
            return .keyNotFound(
                key,
                diagnosis.of(context, "expected the key \"\(key.stringValue)\"")
            )
        case .dataCorrupted(let context):
            return .dataCorrupted(diagnosis.ofCorruption(context))
        @unknown default:
            return self
        }
    }
}

/// What went wrong in a decoding, in words: where, what was expected, what came, and an excerpt.
///
/// ```
/// At todos[1].title: expected String, found a number. In: {"todos":[{"title":"a"},{"title":7}]}
/// ```
private struct DecodingDiagnosis {
    /// The most characters of the body that an excerpt shows, and of the keys of an object.
    private static let excerptLength = 300

    private let data: Data
    /// Nil when the data is no JSON.
    private let root: Any?

    init(data: Data) {
        self.data = data
        root = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    func of(_ context: DecodingError.Context, _ expected: String) -> DecodingError.Context {
        let path = text(of: context.codingPath)
        let found = root == nil ? "text that is none" : kind(of: value(at: context.codingPath))
        return DecodingError.Context(
            codingPath: context.codingPath,
            debugDescription: "At \(path): \(expected), found \(found). In: \(excerpt)",
            underlyingError: context.underlyingError
        )
    }

    /// `Dictionary<String, Any>` and `Array<Any>` are the decoder's words for object and array.
    func expecting(_ type: Any.Type, _ context: DecodingError.Context) -> DecodingError.Context {
        switch type {
        case is [String: Any].Type: of(context, "expected an object")
        case is [Any].Type: of(context, "expected an array")
        default: of(context, "expected \(type)")
        }
    }

    func ofCorruption(_ context: DecodingError.Context) -> DecodingError.Context {
        guard root != nil else { return of(context, "expected JSON") }
        let words = context.debugDescription
        if words.hasPrefix("The given data was not valid JSON") {
            return of(context, "expected numbers that fit their types")
        }
        // Such words may quote the value.
        if context.codingPath.contains(where: { Secrets.isSecretName($0.stringValue) }) {
            return of(context, "expected another value")
        }
        return of(context, words.hasSuffix(".") ? String(words.dropLast()) : words)
    }

    private var excerpt: String {
        // Masked before it is cut, so that the cut can't hide where a secret starts; what is masked is
        // bounded all the same.
        let start = data.prefix(8 * Self.excerptLength)
        let text = Secrets.masked(String(decoding: start, as: UTF8.self))
        let isCut = text.count > Self.excerptLength || start.count < data.count
        return text.prefix(Self.excerptLength) + (isCut ? "…" : "")
    }

    /// `todos[1].title`; for the top level, `the top level`.
    private func text(of path: [any CodingKey]) -> String {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let text = steps.joined()
        return text.isEmpty ? "the top level" : String(text.drop { $0 == "." })
    }

    private func value(at path: [any CodingKey]) -> Any? {
        path.reduce(root) { value, key in
            guard let array = value as? [Any], let index = key.intValue else {
                return (value as? [String: Any])?[key.stringValue]
            }
            return array.indices.contains(index) ? array[index] : nil
        }
    }

    private func kind(of value: Any?) -> String {
        switch value {
        case nil: return "nothing"
        case is NSNull: return "null"
        case is String: return "a string"
        case is [Any]: return "an array"
        case let object as [String: Any]:
            let keys = object.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            return keys.isEmpty
                ? "an object without keys"
                : "an object with the keys \(keys.prefix(Self.excerptLength))"
        case let value?:
            // A boolean and a number are one class to JSONSerialization; their JSON differs.
            let json = try? JSONSerialization.data(
                withJSONObject: value,
                options: .fragmentsAllowed
            )
            let isBoolean = json == Data("true".utf8) || json == Data("false".utf8)
            return isBoolean ? "a boolean" : "a number"
        }
    }
}

extension DecodingError {
    /// The same error, its words without what the request carried in secret places.
    package func masking(secretsOf request: HTTPRequest) -> DecodingError {
        func mask(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath,
                debugDescription: Secrets.masked(context.debugDescription, valuesOf: request),
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, mask(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, mask(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, mask(context))
        case .dataCorrupted(let context): .dataCorrupted(mask(context))
        @unknown default: self
        }
    }
}
