// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore
internal import HTTPMultipart

/// A body that is read while it is sent, and who wants to know how far that is.
struct Upload: Sendable {
    typealias OnProgress = @Sendable (Double) -> Void
    typealias OnBytes = @Sendable (HTTPRequest.UploadProgress) -> Void

    let body: RequestBody
    let contentType: String
    let onProgress: OnBytes?
    /// Says what is wrong with the body before there is a connection.
    let validate: @Sendable () throws -> Void

    init(
        _ body: RequestBody, _ type: ContentType, _ onProgress: OnProgress?, _ onBytes: OnBytes?
    ) {
        (self.body, contentType, validate) = (body, type.rawValue, {})
        self.onProgress = Self.joined(onProgress, onBytes)
    }

    init(_ form: MultipartForm, _ onProgress: OnProgress?, _ onBytes: OnBytes?) {
        body = .stream(form.inputStream, length: form.contentLength)
        contentType = form.contentType
        validate = { try form.validate() }
        self.onProgress = Self.joined(onProgress, onBytes)
    }

    private static func joined(_ onProgress: OnProgress?, _ onBytes: OnBytes?) -> OnBytes? {
        guard let onProgress else { return onBytes }
        return { progress in
            if let fraction = progress.fraction { onProgress(fraction) }
            onBytes?(progress)
        }
    }
}
