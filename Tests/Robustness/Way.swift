// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One style over one transport, in the standard stack.
struct Way: Sendable, CustomTestStringConvertible {
    enum Style: CaseIterable {
        case actor, endpoint
    }

    let style: Style
    let terminal: String
    private let transport: any HTTPTransport

    var testDescription: String { "\(style), \(terminal)" }

    static let curl = Style.allCases.map { Way($0, "curl", CurlTransport()) }
    static let all =
        curl + Style.allCases.map { Way($0, "URLSession", URLSessionTransport()) }

    private init(_ style: Style, _ terminal: String, _ transport: some HTTPTransport) {
        (self.style, self.terminal, self.transport) = (style, terminal, transport.standard())
    }

    /// Sends what a call can say and decodes the answer.
    func load<T: Decodable & Sendable>(
        _ method: HTTPMethod = .get, _ url: String, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:]
    ) async throws -> T {
        if style == .actor {
            return try await API(transport: transport).request(
                url: url, method: method, body: body, headers: headers, pathParams: pathParams,
                debug: false)
        }
        let request = try request(method, url, body, headers, pathParams)
        let endpoint = Endpoint<T>(
            request: request, decodeResponse: JSONDecoder.httpDefault.decodeResponse)
        return try await endpoint.load(on: transport)
    }

    /// Sends the same, and has no use for the answer's body.
    ///
    /// Silence ends it after so many seconds.
    func send(
        _ method: HTTPMethod = .get, _ url: String, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:],
        idleLimit: TimeInterval = 30
    ) async throws {
        if style == .actor {
            return try await API(transport: transport).request(
                url: url, method: method, body: body, headers: headers, pathParams: pathParams,
                debug: false, timeoutInterval: idleLimit)
        }
        var request = try request(method, url, body, headers, pathParams)
        request.timeoutInterval = idleLimit
        try await Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
            .load(on: transport)
    }

    /// Uploads a form.
    func upload(_ form: MultipartForm, _ url: String) async throws {
        if style == .actor {
            return try await API(transport: transport).upload(url: url, form: form, debug: false)
        }
        var request = URLRequest(method: .post, url: try URLTemplate(url).url())
        try request.setHeader("Content-Type", form.contentType)
        var endpoint = Endpoint(
            request: request, decodeResponse: EndpointExpectation.ignoreResponse)
        endpoint.body = .stream(form.inputStream, length: form.contentLength)
        try await endpoint.load(on: transport)
    }

    /// Sends a body of another kind.
    func upload(
        _ body: RequestBody, _ url: String,
        onProgress: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil
    ) async throws {
        if style == .actor {
            return try await API(transport: transport).upload(
                url: url, body: body, contentType: .octetStream, onBytes: onProgress, debug: false)
        }
        let request = URLRequest(method: .post, url: try URLTemplate(url).url())
        var endpoint = Endpoint(
            request: request, decodeResponse: EndpointExpectation.ignoreResponse)
        endpoint.body = body
        endpoint.onUploadProgress = onProgress
        try await endpoint.load(on: transport)
    }

    private func request(
        _ method: HTTPMethod, _ url: String, _ body: (any HTTPBody)?, _ headers: [String: String],
        _ pathParams: [String: String]
    ) throws -> URLRequest {
        let url = try URLTemplate(url).url(filling: pathParams)
        var request = URLRequest(method: method, url: url)
        request.setHeaderAccept(.json)
        if let (data, contentType) = try body?.encoded() {
            request.httpBody = data
            try request.setHeader("Content-Type", contentType)
        }
        for (name, value) in headers { try request.setHeader(name, value) }
        return request
    }
}
