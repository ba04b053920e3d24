// SPDX-License-Identifier: MIT

internal import Foundation

extension DecodingError {
    /// The same error, its words replaced: where, what was expected, what came, and an excerpt.
    ///
    /// ```
    /// At todos[1].title: expected String, found a number. In: {"todos":[{"title":"a"},{"title":7}]}
    /// ```
    func diagnosed(in data: Data) -> DecodingError {
        let diagnosis = DecodingDiagnosis(data: data)
        return rewording { diagnosis.words(for: self, $0) }
    }

    /// The same error, its words without what the request carried in secret places.
    package func masking(secretsOf request: HTTPRequest) -> DecodingError {
        rewording { Secrets.masked($0.debugDescription, valuesOf: request) }
    }

    private func rewording(_ words: (Context) -> String) -> DecodingError {
        func reworded(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath, debugDescription: words(context),
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, reworded(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, reworded(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, reworded(context))
        case .dataCorrupted(let context): .dataCorrupted(reworded(context))
        @unknown default: self
        }
    }
}

private struct DecodingDiagnosis {
    /// The most characters of the body, and of an object's keys, that are shown.
    private static let shownLength = 300

    private let data: Data
    /// Nil when the data is no JSON.
    private let root: Any?

    init(data: Data) {
        self.data = data
        root = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    func words(for error: DecodingError, _ context: DecodingError.Context) -> String {
        let steps = context.codingPath.map { key in
            key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        let path = steps.isEmpty ? "the top level" : steps.joined().drop { $0 == "." }
        let found = root == nil ? "text that is none" : kind(of: value(at: context.codingPath))
        return "At \(path): \(expectation(of: error, context)), found \(found). In: \(excerpt)"
    }

    private func expectation(
        of error: DecodingError, _ context: DecodingError.Context
    ) -> String {
        switch error {
        // The decoder's words for object and array.
        case .typeMismatch(is [String: Any].Type, _), .valueNotFound(is [String: Any].Type, _):
            return "expected an object"
        case .typeMismatch(is [Any].Type, _), .valueNotFound(is [Any].Type, _):
            return "expected an array"
        case .typeMismatch(let type, _), .valueNotFound(let type, _):
            return "expected \(type)"
        case .keyNotFound(let key, _):
            return "expected the key \"\(key.stringValue)\""
        case _ where root == nil:
            return "expected JSON"
        case _ where context.debugDescription.hasPrefix("The given data was not valid JSON"):
            return "expected numbers that fit their types"
        // The words of a type's own decoding may quote the value.
        case _ where context.codingPath.contains { Secrets.isSecretName($0.stringValue) }:
            return "expected another value"
        default:
            let words = context.debugDescription
            return words.hasSuffix(".") ? String(words.dropLast()) : words
        }
    }

    private var excerpt: String {
        // Masked before it is cut, so that the cut can't hide where a secret starts; what is masked is
        // bounded all the same.
        let start = data.prefix(8 * Self.shownLength)
        let text = Secrets.masked(String(decoding: start, as: UTF8.self))
        let isCut = text.count > Self.shownLength || start.count < data.count
        return text.prefix(Self.shownLength) + (isCut ? "…" : "")
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
            guard !keys.isEmpty else { return "an object without keys" }
            return "an object with the keys \(keys.prefix(Self.shownLength))"
        case let value?:
            // A boolean and a number are one class to JSONSerialization; their JSON differs.
            let json = try? JSONSerialization.data(withJSONObject: [value])
            let isBoolean = json == Data("[true]".utf8) || json == Data("[false]".utf8)
            return isBoolean ? "a boolean" : "a number"
        }
    }
}
