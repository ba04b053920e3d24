// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore
public import HTTPMultipart

extension API {
    /// Uploads a form and returns the decoded answer.
    ///
    /// ```swift
    /// let photo: Photo = try await API.shared.upload(url: "https://host/photos", form: form) {
    ///     print("\(Int($0 * 100)) %")
    /// }
    /// ```
    ///
    /// With libcurl the files of the form are read while they are sent. On Apple's platforms URLSession
    /// sends them from a temporary file, which has no name and goes with the call or the process.
    ///
    /// Progress never falls, whatever has to be sent again, and ends at 1 before the call returns. An answer
    /// that comes early, such as 413, stops the sending.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - form: What to send, with its `Content-Length`. Only a pipe has none: it is sent chunked.
    ///   - onProgress: Called with the part of the body that has been sent, from 0 to 1, one call at a
    ///     time. The result waits for it. Not called for a pipe.
    ///   - onBytes: The same in bytes.
    ///   - method: Such as `.put`.
    ///   - headers: Win over the default (`Accept: application/json`) in any letter case. The form's own
    ///     `Content-Type` stays, since it names the boundary.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - persistConnection: Repeat the call, at most ``maxPersistRetries`` times, when its failure is
    ///     transient and a repeat can't act twice. The form is then read once more.
    ///   - debug: Write a log line, without secrets.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may move.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    /// - Returns: The decoded answer, as `request` reads it.
    /// - Throws: ``/HTTPMultipart/MultipartError`` when the form can't be sent, or a file of it has changed:
    ///   before anything is sent where that can be known. Else what a request throws.
    @concurrent nonisolated public func upload<T: Decodable & Sendable>(
        url: String, form: MultipartForm, onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, upload: Upload(form, onProgress, onBytes), headers: headers,
            pathParams: pathParams, persistConnection: persistConnection, debug: debug,
            timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Uploads a form and decodes the answer in the caller's isolation.
    ///
    /// Picked for a type whose conformance belongs to the main actor. Mark it `nonisolated` to decode it
    /// elsewhere.
    @_disfavoredOverload
    nonisolated(nonsending) public func upload<T: Decodable>(
        url: String, form: MultipartForm, onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> T {
        let call = Call(
            url: url, method: method, upload: Upload(form, onProgress, onBytes), headers: headers,
            pathParams: pathParams, persistConnection: persistConnection, debug: debug,
            timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        return try await answer(to: call).decoded()
    }

    /// Uploads a form; the body of the answer does not matter.
    @concurrent nonisolated public func upload(
        url: String, form: MultipartForm, onProgress: (@Sendable (Double) -> Void)? = nil,
        onBytes: (@Sendable (HTTPRequest.UploadProgress) -> Void)? = nil,
        method: HTTPMethod = .post, headers: [String: String] = [:],
        pathParams: [String: String] = [:], persistConnection: Bool = false,
        debug: Bool = API.logsByDefault, timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws {
        let call = Call(
            url: url, method: method, upload: Upload(form, onProgress, onBytes), headers: headers,
            pathParams: pathParams, persistConnection: persistConnection, debug: debug,
            timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        _ = try await answer(to: call)
    }
}
