// SPDX-License-Identifier: MIT

// Builds a multipart/form-data body and sends it, with Duet's transport or with URLSession.

import Foundation
import HTTPActor

let url = URL(string: "https://host/photos")!
let photoURL = URL(fileURLWithPath: "beach.heic")

var form = MultipartForm()
form.field("title", "Summer")
form.file("photo", url: photoURL)

// The file is read from disk while it is sent.
var post = URLRequest(method: .post, url: url)
try post.setHeader("Content-Type", form.contentType)
let transport: any HTTPTransport = .default
let response = try await transport.send(
    HTTPRequest(post, body: .stream(form.inputStream, length: form.contentLength))
)
print(response.status)

// The whole body in memory, for any other client; or in a file, which URLSession sends with its length.
let body = try form.encoded()
try form.write(to: URL(fileURLWithPath: "form.bin"))
print(body.count)

// With URLSession alone; HTTPMultipart needs nothing else of this package.
do {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    request.httpBodyStream = form.inputStream()
    URLSession.shared.dataTask(with: request).resume()
}
