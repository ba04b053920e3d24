// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

extension API {
    /// How much of a download is in its file.
    public struct DownloadProgress: Sendable, Hashable {
        /// How many bytes there are, those that an earlier call left included.
        public let bytesReceived: Int64
        /// Nil when the server did not say.
        public let bytesInAll: Int64?

        /// From 0 to 1; nil when the length is not known.
        public var fraction: Double? {
            bytesInAll.map { $0 == 0 ? 1 : Double(bytesReceived) / Double($0) }
        }
    }

    /// Downloads to a file, which gets its name when it is whole.
    ///
    /// ```swift
    /// try await API.shared.download(url: "https://host/export.zip", to: file, resume: true) {
    ///     print("\($0.bytesReceived) of \($0.bytesInAll ?? 0) bytes")
    /// }
    /// ```
    ///
    /// Until then the bytes are in another file of the same folder, and a file that has the name already
    /// stays as it was. A call that fails or is cancelled leaves nothing behind, unless `resume` is asked for.
    ///
    /// With `resume`, what has come stays in `NAME.part`, and in `NAME.part.json` what it is a part of: the
    /// URL and the server's validator (a strong entity tag, else a date that is as good as one). The next
    /// call with the same `url` and `file` asks for the rest alone; should the server have other content by
    /// then, all of it comes. Where a server names no validator, nothing is kept. One call at a time
    /// can do so for a file. A file `NAME.part` of your own is overwritten.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - file: A file's URL in a folder that is there. A file of that name is replaced.
    ///   - method: By default `.get`, the only one that can be resumed.
    ///   - body: What to send, such as the parameters of a report.
    ///   - headers: Win over the defaults, `Accept: */*` and `Accept-Encoding: identity`, in any letter case.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - resume: Keep what has come when the call fails, and go on from what an earlier one kept.
    ///   - persistConnection: Send again, at most ``maxPersistRetries`` times, when there is no answer, or one
    ///     that is transient. A body that breaks off is not repeated: call again with `resume`.
    ///   - debug: Write a log line, without secrets.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may move.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    ///   - onProgress: Called as bytes are written, one call at a time; a slow one slows the download.
    /// - Returns: The head of the answer, with its metrics. Its status is 200, 206 where a rest was asked for,
    ///   or 416 where an earlier call had left all of it.
    /// - Throws: ``/HTTPCore/InvalidRequest`` before anything is sent; ``/HTTPCore/HTTPStatusError`` for a
    ///   status outside 200..<300; `URLError` when the network fails, and of code `cannotCreateFile`,
    ///   `cannotWriteToFile` (a full disk, for one) or `cannotMoveFile` when the file does;
    ///   `CancellationError`; what the body throws when it is encoded.
    @discardableResult
    @concurrent nonisolated public func download(
        url: String, to file: URL, method: HTTPMethod = .get, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:], resume: Bool = false,
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 30,
        networkServiceType: URLRequest.NetworkServiceType = .default,
        onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        // The length and the ranges of a coded body are none of the file's.
        let defaults = ["Accept": "*/*", "Accept-Encoding": "identity"]
        let call = Call(
            url: url, method: method, body: body, defaults: defaults, headers: headers,
            pathParams: pathParams, persistConnection: persistConnection, debug: debug,
            timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        let settings = snapshot
        var request = try call.request(settings)
        request.options.collect = nil
        let download = Download(
            transport: CheckingTransport(base: transport, settings: settings), request: request,
            destination: file, resumes: resume,
            onProgress: onProgress)
        return try await download.run()
    }
}
