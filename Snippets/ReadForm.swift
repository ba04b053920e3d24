// SPDX-License-Identifier: MIT

// Reads a multipart/form-data body, whole or as it comes in.

import Foundation
import HTTPMultipart

var form = MultipartForm()
form.field("title", "Summer")
let body = try form.encoded()

let parts = try MultipartPart.parts(of: body, contentType: form.contentType)
print(parts.map(\.head.name))

let contentType = form.contentType
let chunks = [body.prefix(10), body.dropFirst(10)]
func save(_ data: Data) { print(data.count) }

var parser = try MultipartParser(contentType: contentType)
for chunk in chunks {
    for event in try parser.push(chunk) {
        switch event {
        case .head(let head): print(head.name)
        case .content(let data): save(data)
        case .end: break
        }
    }
}
try parser.finish()
