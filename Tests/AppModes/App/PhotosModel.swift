// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

struct Photo: Decodable {
    let id: Int
    let name: String
}

// Uploads of an app, in both styles.
@MainActor
class PhotosModel {
    let api: API
    var photos: [Photo] = []
    var fraction = 0.0
    var message = ""

    init(api: API = .shared) {
        self.api = api
    }

    func form(_ file: URL) -> MultipartForm {
        var form = MultipartForm()
        form.field("title", "Summer")
        form.file("photo", url: file)
        return form
    }

    func upload(_ file: URL) async {
        do {
            let photo: Photo = try await api.upload(url: "https://host/photos", form: form(file)) {
                fraction in
                Task { @MainActor in self.fraction = fraction }
            }
            photos.append(photo)
        } catch let error as MultipartError {
            message = "\(error)"
        } catch {
            message = userMessage(for: error)
        }
    }

    func uploadAll(_ files: [URL]) async throws {
        for file in files {
            try await api.upload(url: "https://host/photos", form: form(file))
        }
        let last: Photo? = try await api.upload(
            url: "https://host/albums/{album}",
            form: MultipartForm(),
            onProgress: { print($0) },
            onBytes: { print($0.bytesSent, $0.bytesInAll ?? 0) },
            method: .put,
            headers: ["X-A": "1"],
            pathParams: ["album": "1"],
            persistConnection: true,
            debug: false,
            timeoutInterval: 60
        )
        photos += [last].compactMap { $0 }
        message = try await api.upload(url: "https://host/albums", form: MultipartForm())
    }

    func replace(_ file: URL) async throws {
        let progress = Progress(totalUnitCount: -1)
        let photo: Photo = try await api.upload(
            url: "https://host/photos/7",
            body: .file(file),
            contentType: ContentType(rawValue: "image/heic"),
            onBytes: { $0.update(progress) },
            method: .put
        )
        photos = [photo]
        try await api.upload(url: "https://host/photos/8", body: .data(Data([1])), method: .put)
        let data: Data = try await api.upload(url: "https://host/echo", body: .empty)
        message = "\(data.count) bytes"
    }

    func endpoint(_ file: URL) throws -> Endpoint<Photo> {
        let form = form(file)
        var request = URLRequest(method: .post, url: URL(string: "https://host/photos")!)
        try request.setHeader("Content-Type", form.contentType)
        var endpoint = Endpoint<Photo>(
            request: request,
            decodeResponse: JSONDecoder().decodeResponse
        )
        endpoint.body = .stream(form.inputStream, length: form.contentLength)
        endpoint.onUploadProgress = { print($0.fraction ?? 0) }
        return endpoint
    }

    func load(_ file: URL) async throws {
        var endpoint = try endpoint(file)
        photos.append(try await endpoint.load())
        endpoint.body = .stream(form(file))
        photos.append(try await endpoint.load(on: .default))
    }
}
