// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// What it costs to tell many observers of a new state.
///
/// Prints microseconds for each observer and each state, from the change to the last call: on the main
/// actor, then on a queue.
enum Observers {
    private final class Owner: Sendable {}

    private static let rounds = 20

    static func run(_ count: Int) async {
        for onMain in [true, false] {
            let shared = StatefulEndpoint(
                endpoint: Endpoint(request: URLRequest(url: URL(fileURLWithPath: "/"))) { _, _ in 1
                },
                transport: Stub())
            await shared.reload()
            let owners = (0..<count).map { _ in Owner() }
            let queue = DispatchQueue(label: "observers")
            for owner in owners {
                if onMain {
                    shared.observe(owner: owner, observeCurrent: false) { _ in }
                } else {
                    shared.observe(owner: owner, queue: queue, observeCurrent: false) { _ in }
                }
            }
            let start = Bench.now(CLOCK_MONOTONIC)
            for _ in 0..<rounds {
                shared.update { $0 += 1 }
                // The last one on the queue: when it has been called, so have all the others.
                await withCheckedContinuation { continuation in
                    (onMain ? DispatchQueue.main : queue).async { continuation.resume() }
                }
            }
            let time = Bench.now(CLOCK_MONOTONIC) - start
            let cost = time * 1e6 / Double(rounds * count)
            print(String(format: "%@ %.3f", onMain ? "main" : "queue", cost))
            withExtendedLifetime(owners) {}
        }
    }

    private struct Stub: HTTPTransport {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(
                status: 200, headers: [:], url: URL(fileURLWithPath: "/"),
                body: ResponseBody(Data()))
        }
    }
}
