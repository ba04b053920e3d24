// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport

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
    }

    /// Whether a load that is cancelled waits for its step all the same, as a careless transport would.
    let ignoresCancellation: Bool
    private let state = Locked(State())
    private let requests = Tally<Void>()
    private let cancels = Tally<Void>()

    init(ignoresCancellation: Bool = false) {
        self.ignoresCancellation = ignoresCancellation
    }

    /// How many requests have come.
    var sent: Int {
        requests.all.count
    }

    /// How many of them were cancelled while they waited.
    var cancelled: Int {
        cancels.all.count
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
        _ = await requests.wait(count)
    }

    func wait(cancelled count: Int) async {
        _ = await cancels.wait(count)
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = requests.add(())
        let gate = gate(number)
        if ignoresCancellation {
            await Task.detached { await gate.wait() }.value
        } else {
            await gate.wait()
        }
        if Task.isCancelled, !ignoresCancellation {
            cancels.add(())
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
