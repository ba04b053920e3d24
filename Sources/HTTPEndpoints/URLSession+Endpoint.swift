// SPDX-License-Identifier: MIT

internal import HTTPCore

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

extension URLSession {
    /// Returns a task that loads an endpoint, for code that is built around `URLSession`.
    ///
    /// The exchange is the session's own: redirects, cookies and time limits are URLSession's, and on
    /// Linux its faults are too (an answer that is cut in its head ends the process). Prefer
    /// ``Endpoint/load(on:)``, or its form with a closure, where you can.
    ///
    /// - Parameters:
    ///   - endpoint: What to load. Its ``Endpoint/body`` can be data or a file; a stream is an error.
    ///   - completionHandler: Called once, on the session's delegate queue. A task that was cancelled
    ///     ends in `URLError` of code `cancelled`.
    /// - Returns: The task, suspended: call `resume()`.
    public func dataTask<T>(
        endpoint: Endpoint<T>, completionHandler: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> URLSessionDataTask {
        var request = endpoint.request
        switch endpoint.body {
        case .file(let file):
            return uploadTask(with: request, fromFile: file) { data, response, error in
                completionHandler(Result { try endpoint.value(data, response, error) })
            }
        case .stream:
            let task = dataTask(with: request) { _, _, _ in
                let failure = URLError(
                    .requestBodyStreamExhausted,
                    saying: "A task of a URLSession can't send a stream; load the endpoint instead."
                )
                completionHandler(.failure(failure))
            }
            task.cancel()
            return task
        case .data(let data): request.httpBody = data
        case .empty: request.httpBody = nil
        case nil: break
        }
        return dataTask(with: request) { data, response, error in
            completionHandler(Result { try endpoint.value(data, response, error) })
        }
    }
}

extension Endpoint {
    /// Reads what a URLSession's completion handler gets.
    fileprivate func value(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) throws -> T {
        if let error { throw error }
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        do {
            try validateResponse(response)
            return try decodeResponse(data, response)
        } catch let error as HTTPStatusError where error.body.isEmpty {
            throw HTTPStatusError(
                status: error.status, headers: error.headers, url: error.url, body: data ?? Data())
        } catch let error as DecodingError {
            throw error.masking(secretsOf: HTTPRequest(request))
        } catch {
            throw error
        }
    }
}
