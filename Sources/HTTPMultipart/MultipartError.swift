// SPDX-License-Identifier: MIT

public import Foundation

/// A form that cannot be sent, a file that cannot be read, or a body that is no form.
///
/// ```
/// a field, a name, a type      .header         nothing was read
/// the boundary                 .boundary       nothing was read
/// a file of the form           .file           missing, unreadable, a directory
///                              .fileChanged    another size than when it was added
/// the destination of a write   .destination    nothing is left behind
/// a body that is read back     .malformed  .truncated  .limit
/// ```
///
/// ``description`` is one line that names the file and the reason:
///
/// ```
/// cannot read /photos/nope.jpg: No such file or directory
/// ```
public struct MultipartError: Error, Hashable, Sendable {
    /// A kind of failure; new ones may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A name, MIME type or header that no part may carry.
        public static let header = Kind(rawValue: "header")
        /// No legal boundary was found that is absent from the content.
        public static let boundary = Kind(rawValue: "boundary")
        /// A file is missing, unreadable or a directory, or reading it failed.
        public static let file = Kind(rawValue: "file")
        /// A file has another size than when it was added to the form.
        public static let fileChanged = Kind(rawValue: "fileChanged")
        /// The file that a form is written to cannot be written.
        public static let destination = Kind(rawValue: "destination")
        /// Bytes that break the grammar of RFC 2046 or RFC 7578.
        public static let malformed = Kind(rawValue: "malformed")
        /// A body that ends before its closing delimiter.
        public static let truncated = Kind(rawValue: "truncated")
        /// A body that passes a limit of the parser.
        public static let limit = Kind(rawValue: "limit")
    }

    /// What went wrong.
    public let kind: Kind
    /// The file it went wrong with, nil when no file is involved.
    public let path: String?
    /// The system's `errno`, nil when the system reported nothing.
    public let code: Int32?
    /// The reason in a few words; the system's text when there is a ``code``.
    public let reason: String

    init(_ kind: Kind, _ reason: String, path: String? = nil, code: Int32? = nil) {
        self.kind = kind
        self.path = path
        self.code = code
        self.reason = reason
    }

    init(_ kind: Kind, code: Int32, path: String) {
        self.init(kind, String(cString: strerror(code)), path: path, code: code)
    }

    /// Throws what `errno` says when a call into the system failed.
    static func check(_ success: Bool, _ kind: Kind, _ path: String) throws(MultipartError) {
        guard success else { throw MultipartError(kind, code: errno, path: path) }
    }
}

extension MultipartError: CustomStringConvertible {
    /// One line that names the file, where there is one, and the reason.
    public var description: String {
        guard let path else { return reason }
        return "cannot \(kind == .destination ? "write" : "read") \(path): \(reason)"
    }
}

extension MultipartError: LocalizedError {
    /// The same line as ``description``.
    public var errorDescription: String? { description }
}
