// SPDX-License-Identifier: MIT

public import Foundation
public import HTTPCore

extension API {
    /// Sends a request and returns as soon as the head of the answer has come, to read the body as it comes.
    ///
    /// ```swift
    /// let answer = try await api.stream(
    ///     url: "https://host/v1/chat/completions",
    ///     method: .post,
    ///     body: jsonBody(prompt),
    ///     headers: ["Authorization": "Bearer \(key)"]
    /// )
    /// for try await event in answer.events {
    ///     if event.data == "[DONE]" { break }
    ///     let completion: Completion = try event.decoded()
    ///     let token = completion.choices.first?.delta.content ?? ""
    ///     FileHandle.standardOutput.write(Data(token.utf8))
    /// }
    /// ```
    ///
    /// Read its `events`, its `lines`, its values by
    /// `jsonLines(of:)` or the bytes of its body, once. Letting go of it ends the transfer.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - method: Such as `.post`.
    ///   - body: Such as `jsonBody(prompt)`.
    ///   - headers: Win over the defaults (`Accept: */*` and the body's `Content-Type`) in any letter case.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - persistConnection: Repeat the call, at most ``maxPersistRetries`` times, when its failure is
    ///     transient and a repeat can't act twice. What fails after the head is not repeated.
    ///   - debug: Write a log line, without secrets, when the body has ended.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may come.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    /// - Returns: The answer, whose status is a success.
    /// - Throws: What a request throws. A failure after the head is thrown while the body is read.
    @concurrent nonisolated public func stream(
        url: String, method: HTTPMethod = .get, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:],
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 60,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) async throws -> HTTPResponse {
        let call = Call(
            url: url, method: method, body: body, defaults: ["Accept": "*/*"], headers: headers,
            pathParams: pathParams, persistConnection: persistConnection, debug: debug,
            timeoutInterval: timeoutInterval, networkServiceType: networkServiceType)
        let settings = snapshot
        var request = try call.request(settings)
        request.options.collect = nil
        return try await CheckingTransport(base: transport, settings: settings).send(request)
    }

    /// Gives the Server-Sent Events of a request's answer, and connects again when that ends or breaks off.
    ///
    /// ```swift
    /// for try await event in try API.shared.events(url: "https://host/news") {
    ///     print(event.data)
    /// }
    /// ```
    ///
    /// It waits and goes on as a transport's `events(for:)` does. An answer that
    /// is read once, to its end, is one for `stream(url:)`.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; `{name}` in its path or query is filled from `pathParams`.
    ///   - method: Such as `.get`.
    ///   - body: What to send each time.
    ///   - headers: Win over the body's `Content-Type` in any letter case. `Accept` is `text/event-stream`.
    ///   - pathParams: Values for the places in `url`, not encoded. Each becomes part of one segment.
    ///   - reconnects: How often in a row to connect again without an event in between.
    ///   - persistConnection: Repeat each request whose failure is transient, as a request does.
    ///   - debug: Write a log line, without secrets, for each connection that has ended.
    ///   - timeoutInterval: The longest time, in seconds, in which nothing may come: then the connection
    ///     counts as broken.
    ///   - networkServiceType: A hint for the system. Apple's platforms only.
    /// - Returns: The events, which throw what a request does.
    /// - Throws: ``/HTTPCore/InvalidRequest``; what the body throws when it is encoded.
    nonisolated public func events(
        url: String, method: HTTPMethod = .get, body: (any HTTPBody)? = nil,
        headers: [String: String] = [:], pathParams: [String: String] = [:], reconnects: Int = 10,
        persistConnection: Bool = false, debug: Bool = API.logsByDefault,
        timeoutInterval: TimeInterval = 60,
        networkServiceType: URLRequest.NetworkServiceType = .default
    ) throws -> ServerSentEvents {
        let call = Call(
            url: url, method: method, body: body, headers: headers, pathParams: pathParams,
            persistConnection: persistConnection, debug: debug, timeoutInterval: timeoutInterval,
            networkServiceType: networkServiceType)
        let settings = snapshot
        return CheckingTransport(base: transport, settings: settings).events(
            for: try call.request(settings), reconnects: reconnects)
    }
}
