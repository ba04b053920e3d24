// SPDX-License-Identifier: MIT

/// A transport of this module that wraps another one.
protocol Layer: HTTPTransport {
    var base: any HTTPTransport { get }
}

extension HTTPTransport {
    /// This transport, with a layer around it where it holds none of that type.
    ///
    /// So a verb wakes the layer of a standard stack in its place, whatever the order of the verbs.
    func holding<L: Layer>(_ make: (any HTTPTransport) -> L) -> any HTTPTransport {
        var inner: any HTTPTransport = self
        while !(inner is L) {
            guard let layer = inner as? any Layer else { return make(self) }
            inner = layer.base
        }
        return self
    }
}

/// Decides for all requests what is otherwise decided per call.
struct OptionsTransport: Layer {
    let base: any HTTPTransport
    let change: @Sendable (inout HTTPRequest.Options) -> Void

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        change(&request.options)
        return try await base.send(request)
    }
}

/// What layers tell those below them.
struct LayerOptions: Sendable {
    /// Whether and how to repeat the request; a call's own `attempts` and `retryDelay` win.
    var retry: RetryPolicy?
    /// What to write about it.
    var log: ExchangeLog?
    /// Seconds that were waited between its attempts.
    var waited = 0.0
}

extension HTTPRequest.Options {
    var layers: LayerOptions {
        get { told as? LayerOptions ?? LayerOptions() }
        set { told = newValue }
    }
}
