// SPDX-License-Identifier: MIT

internal import Foundation

extension DecodingError {
    /// The same error, its words replaced: where, what was expected, what came, and an excerpt.
    ///
    /// ```
    /// At todos[1].title: Expected to decode String but found number instead. In: {"todos":[{"title":"a"},{"title":7}]}
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
        return "At \(path): \(reason(of: error, context)). In: \(excerpt)"
    }

    /// What was expected and what came: the decoder's own words where they say both.
    private func reason(of error: DecodingError, _ context: DecodingError.Context) -> String {
        if case .keyNotFound(let key, _) = error {
            let object = value(at: context.codingPath) as? [String: Any]
            let keys = object?.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ") ?? ""
            let found = keys.isEmpty ? "no keys" : "the keys \(keys.prefix(Self.shownLength))"
            return "expected the key \"\(key.stringValue)\", found \(found)"
        }
        if root == nil { return "expected JSON, found text that is none" }
        // The words of a type's own decoding may quote the value.
        if context.codingPath.contains(where: { Secrets.isSecretName($0.stringValue) }) {
            return "the value does not fit"
        }
        let isNumber = context.debugDescription.hasPrefix("The given data was not valid JSON")
        let words = isNumber ? "a number does not fit its type" : context.debugDescription
        return words.hasSuffix(".") ? String(words.dropLast()) : words
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
}
