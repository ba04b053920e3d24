// SPDX-License-Identifier: MIT

// Reads an answer while it comes in, and sends a body while it is made.

import Foundation
import HTTPEndpoints

let transport: any HTTPTransport = .default
let url = URL(string: "https://host/export")!

let response = try await transport.send(HTTPRequest(URLRequest(method: .get, url: url)))
var received = 0
for try await chunk in response.body {
    received += chunk.count
}
print(response.status, received)

var upload = HTTPRequest(
    URLRequest(method: .put, url: url),
    body: .file(URL(fileURLWithPath: "export.csv"))
)
upload.onUploadProgress = { progress in
    print(progress.fraction ?? 0)
}
upload.options.totalTimeout = 600
let answer = try await transport.send(upload)
print(String(decoding: try await answer.data(upTo: 65_536), as: UTF8.self))
