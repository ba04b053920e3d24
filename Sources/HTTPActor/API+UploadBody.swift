// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

extension API {
    /// Uploads a file, bytes or a stream as the whole body and returns the decoded answer.
    ///
    /// ```swift
    /// try await API.shared.upload(
    ///     url: "https://host/photos/{id}",
    ///     body: .file(photoURL),
    ///     contentType: ContentType(rawValue: "image/heic"),
    ///     onBytes: { print("\($0.bytesSent) of \($0.bytesInAll ?? 0) bytes") },
    ///     method: .put,
    ///     pathParams: ["id": "\(photo.id)"]
    /// )
    /// ```
    ///
    /// A file is read while it is sent. Progress never falls, whatever has to be sent again, and ends at 1
    /// before the call returns.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - body: Such as `.file(url)` or `.data(data)`. A stream without a length is sent chunked.
    ///   - contentType: What it is. A field of that name in `headers` wins.
    ///   - onProgress: Called with the part of the body that has been sent, from 0 to 1, one call at a
    ///     time. The result waits for it. Not called where the length is not known.
    ///   - onBytes: The same in bytes.
    ///   - method: Such as `.put`.
    ///   - headers: Win over the defaults in any letter case.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - persistConnection: Repeat the call, at most ``maxPersistRetries`` times, when its failure is
    ///     transient and a repeat can't act twice. The body is then read once more.
    ///   - debug: Write a log line, without secrets.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may move.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    /// - Returns: The decoded answer, as `request` reads it.
    /// - Throws: `URLError` that names a file that is missing, unreadable or a directory, before anything is
    ///   sent; else what a request throws.
    @concurrent nonisolated public func upload<T: Decodable & Sendable>(
        url: String, body: RequestBody, contentType: ContentType = .octetStream,
        onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, upload: Upload(body, contentType, onProgress, onBytes),
            headers: headers, pathParams: pathParams, persistConnection: persistConnection,
            debug: debug, timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Uploads a file, bytes or a stream and decodes the answer in the caller's isolation.
    ///
    /// Picked for a type whose conformance belongs to the main actor. Mark it `nonisolated` to decode it
    /// elsewhere.
    @_disfavoredOverload
    nonisolated(nonsending) public func upload<T: Decodable>(
        url: String, body: RequestBody, contentType: ContentType = .octetStream,
        onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, upload: Upload(body, contentType, onProgress, onBytes),
            headers: headers, pathParams: pathParams, persistConnection: persistConnection,
            debug: debug, timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Uploads a file, bytes or a stream; the body of the answer does not matter.
    @concurrent nonisolated public func upload(
        url: String, body: RequestBody, contentType: ContentType = .octetStream,
        onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws {
        let call = Call(
            url: url, method: method, upload: Upload(body, contentType, onProgress, onBytes),
            headers: headers, pathParams: pathParams, persistConnection: persistConnection,
            debug: debug, timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        _ = try await answer(to: call)
    }
}
