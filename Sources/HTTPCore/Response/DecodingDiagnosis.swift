// SPDX-License-Identifier: MIT

internal import Foundation

/// What went wrong in a decoding, in words: where, what was expected, what came, and an excerpt.
///
/// ```
/// At todos[1].title: expected String, found a number. In: {"todos":[{"title":"a"},{"title":7}]}
/// ```
struct DecodingDiagnosis {
    /// The same error, its context's `debugDescription` replaced.
    let error: DecodingError

    /// The most characters of the body that an excerpt shows.
    private static let excerptLength = 300

    init(of error: DecodingError, in data: Data) {
        let excerpt = Self.excerpt(of: data)

        func describe(_ context: DecodingError.Context, _ what: String) -> DecodingError.Context {
            let path = Self.text(of: context.codingPath)
            return DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: "At \(path): \(what). In: \(excerpt)",
                underlyingError: context.underlyingError)
        }

        switch error {
        case .typeMismatch(let type, let context):
            let found = Self.kind(of: Self.value(at: context.codingPath, in: data))
            self.error = .typeMismatch(
                type, describe(context, "expected \(Self.name(of: type)), found \(found)"))
        case .valueNotFound(let type, let context):
            self.error = .valueNotFound(
                type, describe(context, "expected \(Self.name(of: type)), found null"))
        case .keyNotFound(let key, let context):
            let object = Self.value(at: context.codingPath, in: data) as? [String: Any]
            let keys = object?.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ") ?? ""
            self.error = .keyNotFound(
                key,
                describe(
                    context,
                    "expected the key \"\(key.stringValue)\", found "
                        + (keys.isEmpty ? "no keys" : "the keys \(keys)")))
        case .dataCorrupted(let context):
            let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            let found = Self.kind(of: Self.value(at: context.codingPath, in: data))
            self.error = .dataCorrupted(
                describe(
                    context,
                    isJSON
                        ? "\(Self.sentenceStart(context.debugDescription)), found \(found)"
                        : "expected JSON, found text that is none"))
        @unknown default:
            self.error = error
        }
    }

    private static func sentenceStart(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func excerpt(of data: Data) -> String {
        // Masked before it is cut, so that the cut can't hide where a secret starts; what is masked is
        // bounded all the same.
        let text = Secrets.masked(String(decoding: data.prefix(8 * excerptLength), as: UTF8.self))
        let isCut = text.count > excerptLength || data.count > 8 * excerptLength
        return String(text.prefix(excerptLength)) + (isCut ? "…" : "")
    }

    /// `todos[1].title`; for the top level, `the top level`.
    private static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "the top level" : text
    }

    private static func value(at path: [any CodingKey], in data: Data) -> Any? {
        var value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        for key in path {
            if let array = value as? [Any], let index = key.intValue {
                value = array.indices.contains(index) ? array[index] : nil
            } else {
                value = (value as? [String: Any])?[key.stringValue]
            }
        }
        return value
    }

    private static func kind(of value: Any?) -> String {
        switch value {
        case nil: return "nothing"
        case is NSNull: return "null"
        case is String: return "a string"
        case is [Any]: return "an array"
        case is [String: Any]: return "an object"
        case let value?:
            // A boolean and a number are one class to JSONSerialization; their JSON differs.
            let json = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            let isBoolean = json == Data("true".utf8) || json == Data("false".utf8)
            return isBoolean ? "a boolean" : "a number"
        }
    }

    /// `Dictionary<String, Any>` and `Array<Any>` are the decoder's words for object and array.
    private static func name(of type: Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
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
