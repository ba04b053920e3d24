// SPDX-License-Identifier: MIT

// Uploads a form, a file or bytes, and says how far it is.

import Foundation
import HTTPActor

struct Photo: Decodable {
    let id: Int
}

let photoURL = URL(fileURLWithPath: "beach.heic")

var form = MultipartForm()
form.field("title", "Summer")
form.file("photo", url: photoURL)

// Files are read from disk while they are sent.
let photo: Photo = try await API.shared.upload(url: "https://host/photos", form: form) {
    print("\(Int($0 * 100)) %")
}
print(photo.id)

// The file alone, as the whole body; progress in bytes.
try await API.shared.upload(
    url: "https://host/photos/{id}",
    body: .file(photoURL),
    contentType: ContentType(rawValue: "image/heic"),
    onBytes: { print("\($0.bytesSent) of \($0.bytesInAll ?? 0) bytes") },
    method: .put,
    pathParams: ["id": "\(photo.id)"]
)

// For what is built around Foundation's progress.
let progress = Progress(totalUnitCount: -1)
let upload = Task { [form] in
    try await API.shared.upload(
        url: "https://host/photos",
        form: form,
        onBytes: { $0.update(progress) }
    )
}
progress.cancellationHandler = { upload.cancel() }
try await upload.value
