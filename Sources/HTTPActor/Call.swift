// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// The arguments of one call.
struct Call: Sendable {
    var url: String
    var method: HTTPMethod
    var body: (any HTTPBody)?
    /// What is sent in its place.
    var upload: Upload?
    /// Header fields that the caller's win over.
    var defaults = ["Accept": ContentType.json.rawValue]
    var headers: [String: String]
    var pathParams: [String: String]
    var persistConnection: Bool
    var debug: Bool
    var timeoutInterval: TimeInterval
    var networkServiceType: URLRequest.NetworkServiceType

    /// Builds the request.
    ///
    /// - Throws: `InvalidRequest`, or what the body's encoding throws.
    func request(_ settings: API.Settings) throws -> HTTPRequest {
        let url = try URLTemplate(url).url(filling: pathParams)
        var request = URLRequest(method: method, url: url)
        request.timeoutInterval = timeoutInterval
        request.networkServiceType = networkServiceType
        // At once: on Linux, `setValue` costs as much as the rest of a small request.
        request.allHTTPHeaderFields = defaults
        // Sorted, so that of two names that differ in case alone, the same one always wins.
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            try request.setHeader(name, value)
        }
        let content = try content()
        if let contentType = content?.contentType {
            // The caller's type wins, but where the body's names the boundary that the bytes need.
            let given = request.value(forHTTPHeaderField: "Content-Type")
            if given == nil || contentType.lowercased().hasPrefix("multipart/") {
                try request.setHeader("Content-Type", contentType)
            }
        } else if !headers.isEmpty {
            try request.setHeader("Content-Type", nil)
        }
        var httpRequest = HTTPRequest(request, body: content?.body ?? .empty)
        httpRequest.onUploadProgress = upload?.onProgress
        httpRequest.options.collectSuccess(upTo: HTTPResponse.defaultLimit)
        httpRequest.options.logs = debug
        if persistConnection {
            // Below the highest number, which one more would overflow.
            httpRequest.options.attempts = 1 + min(API.maxPersistRetries, .max - 1)
            httpRequest.options.retryDelay = settings.persistDelay
        }
        if settings.identityHosts?.contains(url.host?.lowercased() ?? "") ?? true {
            httpRequest.options.identity = settings.identity
        }
        return httpRequest
    }

    private func content() throws -> (body: RequestBody, contentType: String)? {
        if let upload {
            try upload.validate()
            return (upload.body, upload.contentType)
        }
        return try (body?.encoded()).map { (.data($0.data), $0.contentType) }
    }
}

extension API {
    /// An answer whose status was right, its body read.
    struct Answer: Sendable {
        let request: HTTPRequest
        let response: HTTPResponse
        let data: Data
        let decoder: JSONDecoder

        func decoded<T: Decodable>() throws -> T {
            do {
                return try decoder.value(of: data, in: response)
            } catch let error as DecodingError {
                throw error.masking(secretsOf: request)
            }
        }
    }

    @concurrent nonisolated func answer(to call: Call) async throws -> Answer {
        let settings = snapshot
        let request = try call.request(settings)
        let response = try await CheckingTransport(base: transport, settings: settings).send(
            request)
        let data = try await response.data()
        return Answer(
            request: request, response: response, data: data, decoder: settings.decoder)
    }
}
