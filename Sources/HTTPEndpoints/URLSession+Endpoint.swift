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
    ///   - endpoint: What to load. One with a ``Endpoint/body`` fails: a task sends the request's own.
    ///     One whose method or header fields would add lines to the request fails with
    ///     ``/HTTPCore/InvalidRequest``.
    ///   - completionHandler: Called once, on the session's delegate queue. A task that was cancelled
    ///     ends in `URLError` of code `cancelled`.
    /// - Returns: The task, suspended: call `resume()`.
    public func dataTask<T>(
        endpoint: Endpoint<T>, completionHandler: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> URLSessionDataTask {
        let refusal = endpoint.refusal
        let task = dataTask(with: endpoint.request) { data, response, error in
            completionHandler(Result { try endpoint.value(data, response, refusal ?? error) })
        }
        // Better none than one without its body, or with a line that somebody else has put in.
        if refusal != nil { task.cancel() }
        return task
    }
}

extension Endpoint {
    /// Why a task of a URLSession must not send it.
    fileprivate var refusal: (any Error)? {
        guard body == nil else {
            return URLError(
                .unsupportedURL,
                saying: "A task of a URLSession can't send this body; load the endpoint instead.")
        }
        do {
            _ = try RequestValidation.check(httpRequest())
        } catch let error as InvalidRequest {
            // Not for the URL: the session says so, and on Linux a task that is cancelled never ends where
            // nobody serves its scheme.
            return [.method, .headerName, .headerValue].contains(error.kind) ? error : nil
        } catch {}
        return nil
    }

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
        } catch {
            throw told(error, body: data ?? Data())
        }
    }
}
