// SPDX-License-Identifier: MIT

internal import Foundation
public import HTTPCore

extension Endpoint {
    /// Sends the request over a transport and returns the value.
    ///
    /// The value is decoded off the caller's actor, unless the endpoint was made for the main actor.
    ///
    /// - Parameter transport: Used as it is; by default the process's own stack.
    /// - Returns: The decoded value.
    /// - Throws: ``/HTTPCore/HTTPStatusError`` with the body, from the validator; `DecodingError`;
    ///   `URLError`; ``/HTTPCore/InvalidRequest`` before anything is sent; `CancellationError`.
    nonisolated(nonsending) public func load(
        on transport: any HTTPTransport = .default
    ) async throws -> T {
        try await loaded(on: transport)
    }

    /// Sends the request and returns as soon as the head has come, to read the body as it comes.
    ///
    /// ```swift
    /// for try await event in try await endpoint.stream().events {
    ///     print(event.data)
    /// }
    /// ```
    ///
    /// Read its `events`, its `lines`, its values by `jsonLines(of:)` or the bytes of its body, once. Letting
    /// go of it ends the transfer.
    ///
    /// - Parameter transport: Used as it is; by default the process's own stack.
    /// - Returns: The answer, whose head the validator has accepted.
    /// - Throws: What ``load(on:)`` throws, but for decoding.
    public func stream(on transport: any HTTPTransport = .default) async throws -> HTTPResponse {
        try await accepted(transport.send(httpRequest())).answer
    }

    /// The answer, if the validator takes it: before its body is read, whose length must not hide a status.
    private func accepted(
        _ answer: HTTPResponse
    ) async throws -> (answer: HTTPResponse, head: HTTPURLResponse) {
        let head = try answer.httpURLResponse
        do {
            try validateResponse(head)
        } catch let error as HTTPStatusError {
            throw told(error, headers: answer.headers, body: try await answer.start())
        }
        return (answer, head)
    }

    @concurrent func loaded(on transport: any HTTPTransport) async throws -> sending T {
        let (answer, head) = try await accepted(transport.send(httpRequest(collects: true)))
        let data = try await answer.data()
        do {
            guard let decode = decodeOnMainActor else { return try decodeResponse(data, head) }
            // The value is made there and not kept; nothing but the result can reach it.
            return try await MainActor.run { Made(value: try decode(data, head, .shared)) }.value
        } catch {
            throw told(error, headers: answer.headers, body: data)
        }
    }

    func httpRequest(collects: Bool = false) -> HTTPRequest {
        var httpRequest = HTTPRequest(request, body: body)
        httpRequest.onUploadProgress = onUploadProgress
        if collects { httpRequest.options.collectSuccess(upTo: HTTPResponse.defaultLimit) }
        return httpRequest
    }

    /// What a caller is told of an error of the validator or the decoder.
    func told(_ error: any Error, headers: HTTPFields? = nil, body: Data) -> any Error {
        if let error = error as? DecodingError { return error.masking(secretsOf: httpRequest()) }
        guard let error = error as? HTTPStatusError else { return error }
        let whole = HTTPStatusError(
            status: error.status, headers: headers ?? error.headers, url: error.url,
            body: error.body.isEmpty ? body : error.body)
        return decodeFailure?(whole) ?? whole
    }
}

/// A value that was made in one place and leaves it for good.
///
/// `@unchecked Sendable`: it is moved, not shared: whoever makes one does not use the value again.
struct Made<Value>: @unchecked Sendable {
    let value: Value
}
