// SPDX-License-Identifier: MIT

public import Foundation

/// A part that was read from a `multipart/form-data` body.
public struct MultipartPart: Hashable, Sendable {
    /// A header field of a part.
    public struct Field: Hashable, Sendable {
        /// The name as it was sent.
        public let name: String
        /// The value, without the blanks around it and unfolded.
        public let value: String
    }

    /// What stands before a part's content.
    public struct Head: Hashable, Sendable {
        /// The name of the form field, decoded.
        public let name: String
        /// The file name, decoded; nil for a field.
        ///
        /// > Important: It is the sender's word, `../../etc/passwd` included. Never use it as a path.
        public let filename: String?
        /// All header fields in the order they came.
        public let fields: [Field]

        /// The MIME type with its parameters, nil when none was sent.
        public var contentType: String? { self["Content-Type"] }

        /// Returns the first value for a name, in any letter case.
        public subscript(name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What stands before the content.
    public let head: Head
    /// The content.
    public internal(set) var data: Data
}

extension MultipartPart {
    /// Returns the parts of a body that is in memory.
    ///
    /// ```swift
    /// let parts = try MultipartPart.parts(of: body, contentType: form.contentType)
    /// ```
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - contentType: The value of the header field `Content-Type`.
    ///   - maximumParts: The most parts that are accepted.
    /// - Returns: The parts in order.
    /// - Throws: ``MultipartError`` with the kind `malformed`, `truncated` or `limit`.
    public static func parts(
        of body: Data,
        contentType: String,
        maximumParts: Int = 1_000
    ) throws(MultipartError) -> [MultipartPart] {
        var parser = try MultipartParser(contentType: contentType, maximumParts: maximumParts)
        var parts: [MultipartPart] = []
        for event in try parser.push(body) {
            switch event {
            case .head(let head): parts.append(MultipartPart(head: head, data: Data()))
            case .content(let data): parts[parts.count - 1].data.append(data)
            case .end: break
            }
        }
        try parser.finish()
        return parts
    }
}

extension MultipartPart.Head {
    /// Reads the header lines of a part, each with its CRLF.
    init(_ block: ArraySlice<UInt8>) throws(MultipartError) {
        var fields: [(name: String, value: [UInt8])] = []
        var rest = block
        while let end = rest.firstIndex(of: 0x0D) {
            let line = rest[..<end]
            guard rest.dropFirst(line.count + 1).first == 0x0A, HeaderSyntax.isValue(line) else {
                throw MultipartError(.malformed, "a lone CR, LF or NUL in a part's header")
            }
            rest = rest.dropFirst(line.count + 2)
            if let first = line.first, HeaderSyntax.isBlank(first), !fields.isEmpty {
                // A folded line, RFC 5322 section 2.2.3.
                fields[fields.count - 1].value += [0x20] + HeaderSyntax.trimmed(line)
                continue
            }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard HeaderSyntax.isToken(name), name.count < line.count else {
                throw MultipartError(.malformed, "a line of a part's header is no field")
            }
            let value = HeaderSyntax.trimmed(line.dropFirst(name.count + 1))
            fields.append((String(decoding: name, as: UTF8.self), Array(value)))
        }
        let dispositions = fields.filter { $0.name.lowercased() == "content-disposition" }
        guard dispositions.count == 1,
            let disposition = ContentDisposition(dispositions[0].value[...])
        else {
            throw MultipartError(.malformed, "a part without one form-data disposition and name")
        }
        self.name = disposition.name
        self.filename = disposition.filename
        self.fields = fields.map { name, value in
            MultipartPart.Field(name: name, value: String(decoding: value, as: UTF8.self))
        }
    }
}
