// SPDX-License-Identifier: MIT

public import Foundation

/// A body that arrived, but can't be handed out as asked.
public struct ResponseBodyError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// What is wrong with a body.
    public enum Kind: Hashable, Sendable {
        /// The body was empty and the type asked for needs content.
        case empty
        /// The body holds bytes, where none were expected.
        case notEmpty(count: Int)
        /// The body, its content coding undone, is longer than the limit in bytes.
        case tooLarge(limit: Int)
        /// A line or an event of the body is longer than the limit in bytes.
        case partTooLarge(limit: Int)
        /// The body is of another media type than the one asked for.
        case unexpectedType(String)
        /// The body was read before; it can be read once.
        case alreadyRead
        /// The text is not in the charset that it says it is in.
        case undecodableText(charset: String)
    }

    /// What is wrong.
    public let kind: Kind
    /// The response's status, where there is one.
    public let status: Int?
    /// The URL that answered, where there is one.
    public let url: URL?

    /// Creates an error.
    public init(_ kind: Kind, status: Int? = nil, url: URL? = nil) {
        self.kind = kind
        self.status = status
        self.url = url
    }

    public var description: String {
        let answer = status.map { "The answer (status \($0))" } ?? "The answer"
        return switch kind {
        case .empty: "\(answer) has an empty body, where content was expected."
        case .notEmpty(let count): "\(answer) has \(count) bytes, where none were expected."
        case .tooLarge(let limit): "\(answer) has a body of more than \(limit) bytes."
        case .partTooLarge(let limit): "\(answer) has a line or event of over \(limit) bytes."
        case .unexpectedType(let type): "\(answer) is of the type \"\(type)\", not as asked for."
        case .alreadyRead: "\(answer) has a body that was read before; it can be read once."
        case .undecodableText(let charset): "\(answer) has a body that is no \(charset) text."
        }
    }

    public var errorDescription: String? { description }
}
