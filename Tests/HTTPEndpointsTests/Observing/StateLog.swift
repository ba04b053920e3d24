// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport

/// What observers have seen, in words, in the order of their calls.
final class StateLog: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] {
        lines.withLock { $0 }
    }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    func add(_ state: StatefulEndpoint<Int>.LoadingResult, _ prefix: String = "") {
        switch state {
        case .success(let value): add(prefix + "\(value)")
        case .failure: add(prefix + "failure")
        case .empty, .loading: add(prefix + state.description)
        }
    }

    /// Waits until so many lines are there.
    func wait(_ count: Int) async -> [String] {
        while lines.withLock({ $0.count < count }) { await Task.yield() }
        return all
    }
}

/// Whoever observes.
final class Owner: Sendable {}

/// A transport that answers each load when the test says so, with real requests and answers of its own.
final class HandTransport: HTTPTransport {
    enum Step {
        case answer(Int)
        case status(Int)
        case fail(any Error)
    }

    private struct State {
        var steps: [Int: Step] = [:]
        var rest: Step?
        var gates: [Int: Gate] = [:]
        var sent = 0
        var cancelled = 0
    }

    /// Whether a load that is cancelled waits for its step all the same, as a careless transport would.
    let ignoresCancellation: Bool
    private let state = Locked(State())

    init(ignoresCancellation: Bool = false) {
        self.ignoresCancellation = ignoresCancellation
    }

    /// How many requests have come.
    var sent: Int {
        state.withLock { $0.sent }
    }

    /// How many of them were cancelled while they waited.
    var cancelled: Int {
        state.withLock { $0.cancelled }
    }

    /// What the nth request, from 1 on, gets.
    func set(_ number: Int, _ step: Step) {
        gate(number) { $0.steps[number] = step }.open()
    }

    /// What all others get, those that wait too.
    func setRest(_ step: Step) {
        let gates = state.withLock { state in
            state.rest = step
            return state.gates.values
        }
        for gate in gates { gate.open() }
    }

    func wait(sent count: Int) async {
        while sent < count { await Task.yield() }
    }

    func wait(cancelled count: Int) async {
        while cancelled < count { await Task.yield() }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = state.withLock { state in
            state.sent += 1
            return state.sent
        }
        let gate = gate(number)
        await gate.wait()
        while ignoresCancellation, !gate.isOpen { await Task.yield() }
        if Task.isCancelled, !ignoresCancellation {
            state.withLock { $0.cancelled += 1 }
            throw CancellationError()
        }
        switch state.withLock({ $0.steps[number] ?? $0.rest }) {
        case .answer(let value): return response("\(value)", to: request)
        case .status(let status): return response("no", status: status, to: request)
        case .fail(let error): throw error
        case nil: throw URLError(.unknown)
        }
    }

    private func gate(_ number: Int, change: (inout State) -> Void = { _ in }) -> Gate {
        state.withLock { state in
            change(&state)
            let gate = state.gates[number] ?? Gate()
            state.gates[number] = gate
            if state.rest != nil { gate.open() }
            return gate
        }
    }

    private func response(
        _ text: String, status: Int = 200, to request: HTTPRequest
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [:], url: request.urlRequest.url ?? URL(fileURLWithPath: "/"),
            body: ResponseBody(Data(text.utf8)))
    }
}

extension Endpoint where T == Int {
    /// A GET whose answer is a number.
    static func number(_ url: URL = URL(fileURLWithPath: "/")) -> Endpoint<Int> {
        .get(url) { data, _ in Int(String(decoding: data ?? Data(), as: UTF8.self)) ?? -1 }
    }
}
