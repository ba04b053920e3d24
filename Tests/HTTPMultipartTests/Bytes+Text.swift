// SPDX-License-Identifier: MIT

import Foundation
import HTTPMultipart

extension Data {
    /// The bytes as text in which line ends can be seen.
    var visible: String {
        String(decoding: self, as: UTF8.self)
            .unicodeScalars
            .map { scalar in
                switch scalar {
                case "\r": "␍"
                case "\n": "␊\n"
                default: String(scalar)
                }
            }
            .joined()
    }
}

extension MultipartForm {
    /// A form whose boundary is always `XX`.
    static var fixed: MultipartForm {
        MultipartForm(boundarySource: { "XX" })
    }

    var chunks: [Data] {
        get async throws {
            var chunks: [Data] = []
            for try await chunk in self {
                chunks.append(chunk)
            }
            return chunks
        }
    }

    /// The only part of a form, read back.
    func onlyPart() throws -> MultipartPart? {
        let parts = try MultipartPart.parts(of: encoded(), contentType: contentType)
        return parts.count == 1 ? parts[0] : nil
    }
}
