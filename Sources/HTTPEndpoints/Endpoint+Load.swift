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

    @concurrent func loaded(on transport: any HTTPTransport) async throws -> sending T {
        var httpRequest = HTTPRequest(request, body: body)
        httpRequest.onUploadProgress = onUploadProgress
        httpRequest.options.collect = HTTPResponse.defaultLimit
        let answer = try await transport.send(httpRequest)
        let data = try await answer.data()
        let response = try answer.httpURLResponse
        do {
            try validateResponse(response)
            guard let decodeOnMainActor else { return try decodeResponse(data, response) }
            return try await Self.onMainActor(decodeOnMainActor, data, response)
        } catch let error as HTTPStatusError where error.body.isEmpty {
            throw HTTPStatusError(
                status: error.status, headers: answer.headers, url: error.url, body: data)
        } catch let error as DecodingError {
            throw error.masking(secretsOf: httpRequest)
        } catch {
            throw error
        }
    }

    @MainActor private static func onMainActor(
        _ decode: @Sendable (Data?, HTTPURLResponse, MainActor) throws -> T,
        _ data: Data, _ response: HTTPURLResponse
    ) throws -> sending T {
        // The value is made here and not kept; nothing but the result can reach it.
        try Made(value: decode(data, response, MainActor.shared)).value
    }
}

/// A value that was made in one place and leaves it for good.
///
/// `@unchecked Sendable`: it is moved, not shared: whoever makes one does not use the value again.
struct Made<Value>: @unchecked Sendable {
    let value: Value
}
