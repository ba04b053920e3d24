// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

extension API {
    /// Sends a request and returns the decoded answer.
    ///
    /// `String` gives the text of the body in its charset and `Data` the bytes; everything else is read as
    /// JSON. An empty body gives nil for an optional, `""` and empty `Data`.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - method: Such as `.get`.
    ///   - body: Such as `jsonBody(user)`, `.form([…])` or ``/HTTPCore/RawBody``.
    ///   - headers: Win over the defaults (`Accept: application/json` and the body's `Content-Type`) in
    ///     any letter case. The type of a multipart body stays, since it names the boundary.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - persistConnection: Repeat the call, at most ``maxPersistRetries`` times, when its failure is
    ///     transient and a repeat can't act twice.
    ///   - debug: Write a log line, without secrets.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may move.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    /// - Returns: The decoded answer.
    /// - Throws: ``/HTTPCore/InvalidRequest`` before anything is sent; ``/HTTPCore/HTTPStatusError`` for a
    ///   status outside 200..<300; `DecodingError`; ``/HTTPCore/ResponseBodyError``; `URLError`;
    ///   `CancellationError`; what the body throws when it is encoded.
    @concurrent nonisolated public func request<T: Decodable & Sendable>(
        url: String, method: HTTPMethod, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:],
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, body: body, headers: headers, pathParams: pathParams,
            persistConnection: persistConnection, debug: debug, timeoutInterval: timeoutInterval,
            networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Sends a request and decodes the answer in the caller's isolation.
    ///
    /// Picked for a type whose conformance belongs to the main actor. Mark it `nonisolated` to decode it
    /// elsewhere.
    @_disfavoredOverload
    nonisolated(nonsending) public func request<T: Decodable>(
        url: String, method: HTTPMethod, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:],
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, body: body, headers: headers, pathParams: pathParams,
            persistConnection: persistConnection, debug: debug, timeoutInterval: timeoutInterval,
            networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Sends a request whose answer's body does not matter.
    @concurrent nonisolated public func request(
        url: String, method: HTTPMethod, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:],
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws {
        let call = Call(
            url: url, method: method, body: body, headers: headers, pathParams: pathParams,
            persistConnection: persistConnection, debug: debug, timeoutInterval: timeoutInterval,
            networkServiceType: networkServiceType)
        _ = try await answer(to: call)
    }
}
