// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import HTTPEndpoints

/// A transport whose requests wait until the test answers them, each by its path.
final class Desk: HTTPTransport {
    enum Answer {
        case text(String)
        case problem(Int, String)
        case fail(any Error)
    }

    private struct State {
        var answers: [String: [Answer]] = [:]
        var sent: [String] = []
        var cancelled: [String] = []
    }

    private let state = Locked(State())

    var sent: [String] { state.withLock { $0.sent } }
    var cancelled: [String] { state.withLock { $0.cancelled } }

    /// Answers one request, that waits or is yet to come.
    func answer(_ path: String, _ answer: Answer) {
        state.withLock { $0.answers[path, default: []].append(answer) }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        state.withLock { $0.sent.append(url.path) }
        while true {
            if Task.isCancelled {
                state.withLock { $0.cancelled.append(url.path) }
                throw CancellationError()
            }
            switch next(url.path) {
            case .text(let text):
                return HTTPResponse(
                    status: 200, headers: [:], url: url, body: ResponseBody(Data(text.utf8)))
            case .problem(let status, let detail):
                let body = #"{"title":"No","detail":"\#(detail)"}"#
                return HTTPResponse(
                    status: status, headers: ["Content-Type": "application/problem+json"],
                    url: url, body: ResponseBody(Data(body.utf8)))
            case .fail(let error): throw error
            case nil: await Task.yield()
            }
        }
    }

    private func next(_ path: String) -> Answer? {
        state.withLock { state in
            guard let first = state.answers[path]?.first else { return nil }
            state.answers[path]?.removeFirst()
            return first
        }
    }

    func endpoint(_ path: String) -> Endpoint<String> {
        Endpoint(request: URLRequest(url: URL(fileURLWithPath: path))) { data, _ in
            String(decoding: data ?? Data(), as: UTF8.self)
        }
    }
}

/// Waits until something is so; the test's time limit ends it.
@MainActor func until(_ isTrue: () -> Bool) async {
    while !isTrue(), !Task.isCancelled { await Task.yield() }
}

/// Lets what is on its way to the main actor arrive.
@MainActor func settle() async {
    for _ in 0..<5 {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}
