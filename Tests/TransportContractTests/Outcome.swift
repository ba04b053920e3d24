// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The two ways to read an answer.
enum Reading: String, CaseIterable, Codable, Sendable {
    /// By `send`, before it returns.
    case collected
    /// From the body, piece by piece, after it.
    case streamed
}

/// How an exchange ended, and where it failed.
enum Outcome {
    case answer(HTTPResponse, body: Data)
    case sendFailed(any Error)
    case bodyFailed(any Error, status: Int, received: Data)

    var error: (any Error)? {
        switch self {
        case .answer: nil
        case .sendFailed(let error), .bodyFailed(let error, _, _): error
        }
    }

    var urlError: URLError? { error as? URLError }

    var body: Data? {
        guard case .answer(_, let body) = self else { return nil }
        return body
    }

    var text: String? {
        body.map { String(decoding: $0, as: UTF8.self) }
    }

    var status: Int? {
        guard case .answer(let response, _) = self else { return nil }
        return response.status
    }

    var failedInBody: Bool {
        if case .bodyFailed = self { true } else { false }
    }

    var failedInSend: Bool {
        if case .sendFailed = self { true } else { false }
    }
}

extension HTTPTransport {
    /// Sends a request and reads the answer to its end, one way or the other.
    func outcome(_ request: HTTPRequest, _ reading: Reading = .collected) async -> Outcome {
        var request = request
        if reading == .collected, request.options.collect == nil {
            request.options.collect = 1 << 28
        }
        let response: HTTPResponse
        do {
            response = try await send(request)
        } catch {
            return .sendFailed(error)
        }
        var received = Data()
        do {
            for try await chunk in response.body { received += chunk }
            return .answer(response, body: received)
        } catch {
            return .bodyFailed(error, status: response.status, received: received)
        }
    }

    /// Gets the text at a URL, which is how most tests ask whether a transport is still well.
    func text(_ url: URL) async throws -> String {
        let response = try await send(.get(url))
        return String(decoding: try await response.data(), as: UTF8.self)
    }
}

extension HTTPRequest {
    static func get(_ url: URL, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
        make(.get, url, nil, change)
    }

    static func make(
        _ method: HTTPMethod, _ url: URL, _ body: RequestBody? = nil,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) -> HTTPRequest {
        var request = HTTPRequest(URLRequest(method: method, url: url), body: body)
        // No test waits longer for a fault that turns up as silence.
        request.idleLimit = 30
        change(&request)
        return request
    }
}

extension HTTPRequest {
    /// Sets a header field; `setHeader` would check it.
    mutating func set(_ name: String, _ value: String) {
        urlRequest.setValue(value, forHTTPHeaderField: name)
    }

    var idleLimit: TimeInterval {
        get { urlRequest.timeoutInterval }
        set { urlRequest.timeoutInterval = newValue }
    }
}

/// Runs something and gives up on it after some seconds; nil: it did not end.
///
/// What does not end is left behind, so that a fault costs a test and not the run.
func within<Value: Sendable>(
    _ seconds: TimeInterval = 30, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>?.self)
    let task = Task {
        do {
            continuation.yield(.success(try await work()))
        } catch {
            continuation.yield(.failure(error))
        }
    }
    let timer = Task {
        try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        continuation.yield(nil)
        task.cancel()
    }
    defer { timer.cancel() }
    for await result in results { return try result?.get() }
    return nil
}

/// The time that something took, in seconds.
func seconds(_ work: () async throws -> Void) async rethrows -> TimeInterval {
    let start = ProcessInfo.processInfo.systemUptime
    try await work()
    return ProcessInfo.processInfo.systemUptime - start
}
