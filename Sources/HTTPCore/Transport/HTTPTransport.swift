// SPDX-License-Identifier: MIT

/// Sends requests.
///
/// Everything that reaches, fakes, repeats or remembers a request is one of these, or
/// one that holds another.
///
/// The smallest transport answers by itself:
///
/// ```swift
/// struct Teapot: HTTPTransport {
///     func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///         HTTPResponse(status: 418, url: request.urlRequest.url!, body: ResponseBody())
///     }
/// }
/// ```
///
/// A transport keeps this contract, which the package's tests run over each of them:
///
/// - `send` returns when the head of the answer has come, **whatever its status**: a 404 is an answer.
/// - What fails before that is thrown by `send`, what fails later by the response's body.
/// - With `options.collect`, the body is read before `send` returns, so that all failures are `send`'s.
/// - The request is sent as given. A transport does not judge or change an answer.
/// - `send` can be called from anywhere, any number of times at once.
/// - Cancelling the task cancels the transfer promptly and throws `CancellationError`, from `send` or,
///   once that has returned, from the body. A task that is cancelled already sends nothing.
/// - The body streams with back-pressure; nothing is buffered whole unless asked for.
/// - Dropping the body ends the transfer.
/// - A request that can't be sent as it is throws ``InvalidRequest`` before anything is sent.
public protocol HTTPTransport: Sendable {
    /// Sends a request. Returns when the head has come, whatever its status.
    ///
    /// - Throws: `URLError` when the network or the server fails, ``InvalidRequest``,
    ///   `CancellationError`, and whatever a transport of your own throws.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
