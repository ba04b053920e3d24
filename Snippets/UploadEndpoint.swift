// SPDX-License-Identifier: MIT

// Describes an upload as an endpoint. Its form is read from disk anew, each time it is loaded.

import Foundation
import HTTPEndpoints
import HTTPMultipart

struct Photo: Decodable {
    let id: Int
}

final class PhotosAPI: Sendable {
    private let url = URL(string: "https://host/photos/")!
    private let jsonDecoder = JSONDecoder()

    func add(_ file: URL, title: String) throws -> Endpoint<Photo> {
        var form = MultipartForm()
        form.field("title", title)
        form.file("photo", url: file)

        var request = URLRequest(method: .post, url: url)
        try request.setHeader("Content-Type", form.contentType)
        var endpoint = Endpoint<Photo>(request: request, decodeResponse: jsonDecoder.decodeResponse)
        endpoint.body = .stream(form.inputStream, length: form.contentLength)
        // A file that is missing or can't be read costs no request.
        try form.validate()
        return endpoint
    }
}

var endpoint = try PhotosAPI().add(URL(fileURLWithPath: "beach.heic"), title: "Summer")
endpoint.onUploadProgress = { print("\(Int(($0.fraction ?? 0) * 100)) %") }
let photo = try await endpoint.load()
print(photo.id)
