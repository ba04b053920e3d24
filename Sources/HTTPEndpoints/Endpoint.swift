// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

/// A value that says what to send and how to read the answer.
///
/// It loads nothing by itself:
///
/// ```swift
/// func todo(id: Int) -> Endpoint<Todo> {
///     var request = URLRequest(method: .get, url: url.appendingRelative(String(id)))
///     request.setHeaderAccept(.json)
///     return Endpoint(request: request, decodeResponse: jsonDecoder.decodeResponse)
/// }
/// ```
public struct Endpoint<T>: Sendable, CustomStringConvertible {
    /// Accepts the head of an answer, or throws.
    public typealias ValidateResponse = @Sendable (HTTPURLResponse) throws -> Void
    /// Makes the value from the body and the head of an answer.
    public typealias DecodeResponse =
        @Sendable (_ data: Data?, _ response: HTTPURLResponse) throws -> T

    /// What is sent, its body included unless it has one in ``body``.
    public var request: URLRequest
    /// What is sent in place of the request's own body, such as a file or a form that is read while it is
    /// sent.
    ///
    /// ```swift
    /// var request = URLRequest(method: .post, url: url)
    /// try request.setHeader("Content-Type", form.contentType)
    /// var endpoint = Endpoint<Photo>(request: request, decodeResponse: jsonDecoder.decodeResponse)
    /// endpoint.body = .stream(form.inputStream, length: form.contentLength)
    /// try form.validate()
    /// ```
    ///
    /// It is read anew for each load, redirect and retry. What is wrong with a form is best found before, as
    /// the last line does. A task of a `URLSession` can't send it.
    public var body: RequestBody?
    /// Called as the body is sent, one call at a time, never with less than before.
    ///
    /// Not by a task of a `URLSession`.
    public var onUploadProgress: (@Sendable (HTTPRequest.UploadProgress) -> Void)?
    /// Accepts the head, or throws; by default every status from 200 to 299.
    ///
    /// It sees no body: what loads the endpoint adds that to the ``/HTTPCore/HTTPStatusError`` that it
    /// throws.
    public var validateResponse: ValidateResponse
    /// Makes an error of a status error with its body, such as what the server's JSON says; nil leaves it.
    ///
    /// ```swift
    /// endpoint.decodeFailure = { try? decoder.decode(Problem.self, from: $0.body) }
    /// ```
    public var decodeFailure: (@Sendable (HTTPStatusError) -> (any Error)?)?
    /// Makes the value of the body and the head.
    public var decodeResponse: DecodeResponse {
        didSet { decodeOnMainActor = nil }
    }
    /// Set for a type that can only be decoded on the main actor.
    private(set) var decodeOnMainActor: (@Sendable (Data?, HTTPURLResponse, MainActor) throws -> T)?

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - request: What to send, its body included.
    ///   - validateResponse: Accepts the head of the answer, or throws.
    ///   - decodeResponse: Makes the value. It never runs on the caller's actor.
    public init(
        request: URLRequest,
        validateResponse: @escaping ValidateResponse = EndpointExpectation.successStatusCode,
        decodeResponse: @escaping DecodeResponse
    ) {
        self.request = request
        self.validateResponse = validateResponse
        self.decodeResponse = decodeResponse
    }

    /// Creates an endpoint whose value is made on the main actor, however it is loaded.
    ///
    /// Picked for a model whose `Decodable` conformance belongs to the main actor, which is what a new
    /// Xcode project gives it. Mark the model `nonisolated` to decode it off the main actor.
    @_disfavoredOverload
    public init(
        request: URLRequest,
        validateResponse: @escaping ValidateResponse = EndpointExpectation.successStatusCode,
        decodeResponse: @escaping @Sendable (Data?, HTTPURLResponse, MainActor) throws -> T
    ) {
        self.request = request
        self.validateResponse = validateResponse
        self.decodeResponse = { data, response in
            try MainQueue.sync { try decodeResponse(data, response, $0) }
        }
        decodeOnMainActor = decodeResponse
    }

    /// Method and URL, the query left out: `[GET https://host/path]`.
    public var description: String {
        "[\(request.httpMethod ?? "GET") \(request.url?.withoutQuery ?? "no URL")]"
    }
}
