// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart

/// A part as a test collects it from a parser's events.
struct ReceivedPart: Equatable {
    let head: MultipartPart.Head
    var data = Data()
    var hasEnded = false

    /// Pushes chunks through a parser, to the end of the body.
    static func parts(
        of chunks: some Sequence<Data>,
        contentType: String = "multipart/form-data; boundary=XX"
    ) throws -> [ReceivedPart] {
        var parser = try MultipartParser(contentType: contentType)
        var parts: [ReceivedPart] = []
        for chunk in chunks {
            for event in try parser.push(chunk) {
                switch event {
                case .head(let head): parts.append(ReceivedPart(head: head))
                case .content(let data): parts[parts.count - 1].data.append(data)
                case .end: parts[parts.count - 1].hasEnded = true
                }
            }
        }
        try parser.finish()
        return parts
    }
}
