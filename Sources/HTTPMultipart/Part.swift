// SPDX-License-Identifier: MIT

import Foundation

/// One part of a form: its header as bytes and where its content comes from.
struct Part: Sendable {
    enum Content: Sendable {
        case data(Data)
        case file(FileSource)
    }

    /// The header lines and the blank line that ends them.
    let head: Data
    let content: Content

    /// The file that is the content, nil when that is in memory.
    var file: FileSource? {
        if case .file(let file) = content { file } else { nil }
    }

    /// Creates a part with a header in a fixed order: disposition, type, then the rest by name.
    init(
        _ disposition: ContentDisposition,
        type: String?,
        headers: [String: String],
        content: Content
    ) throws(MultipartError) {
        for name in [disposition.name, disposition.filename ?? ""] where name.utf8.contains(0) {
            throw MultipartError(.header, "NUL in the name \(name.debugDescription)")
        }
        var head = "Content-Disposition: \(disposition.value)\r\n"
        let names = headers.keys.map { $0.lowercased() }
        guard !names.contains("content-disposition"), !names.contains("content-type") else {
            // A second one would let two servers read two parts.
            throw MultipartError(.header, "the name and the type have arguments of their own")
        }
        let typed = type.map { [(key: "Content-Type", value: $0)] } ?? []
        for (name, value) in typed + headers.sorted(by: { $0.key < $1.key }) {
            guard HeaderSyntax.isToken(name.utf8), HeaderSyntax.isValue(value.utf8) else {
                let reason = "no header name, or CR, LF or NUL in its value"
                throw MultipartError(.header, "\(name.debugDescription): \(reason)")
            }
            head += "\(name): \(value)\r\n"
        }
        self.head = Data((head + "\r\n").utf8)
        self.content = content
    }

    /// Says whether the header or a content in memory holds the boundary.
    func contains(_ boundary: Boundary) -> Bool {
        if head.withUnsafeBytes({ boundary.occurs(in: $0) }) { return true }
        guard case .data(let data) = content else { return false }
        return data.withUnsafeBytes { boundary.occurs(in: $0) }
    }
}
