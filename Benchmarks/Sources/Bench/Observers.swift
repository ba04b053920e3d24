// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

/// What it costs to tell many observers of a new state, beside `NotificationCenter` and a loop over closures.
///
/// Prints, for each way, microseconds from the change to the end of the last call, then microseconds to add
/// one observer.
struct Observers {
    private final class Owner: Sendable {}
    private typealias Shared = StatefulEndpoint<Int>

    let count: Int
    /// Enough to see past the clock where they are few.
    private var rounds: Int { max(5, min(1_000, 200_000 / count)) }

    func run() async {
        guard count > 0 else { return }
        let queue = DispatchQueue(label: "observers")
        let owners = (0..<count).map { _ in Owner() }
        await shared("main", on: .main) { shared in
            for owner in owners {
                shared.observe(owner: owner, observeCurrent: false) { _ in }
            }
        }
        await shared("queue", on: queue) { shared in
            for owner in owners {
                shared.observe(owner: owner, queue: queue, observeCurrent: false) { _ in }
            }
        }
        withExtendedLifetime(owners) {}
        await notifications()
        await closures(on: queue)
    }

    private func shared(_ name: String, on queue: DispatchQueue, adding add: (Shared) -> Void) async
    {
        let endpoint = Endpoint(request: URLRequest(url: URL(fileURLWithPath: "/"))) { _, _ in 1 }
        let shared = Shared(endpoint: endpoint, transport: Stub())
        await shared.reload()
        await measure(name, on: queue, adding: { add(shared) }) { shared.update { $0 += 1 } }
    }

    private func notifications() async {
        let (center, name) = (NotificationCenter(), Notification.Name("state"))
        var tokens: [any NSObjectProtocol] = []
        await measure("notifications") {
            for _ in 0..<count {
                tokens.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in })
            }
        } telling: {
            center.post(name: name, object: nil)
        }
        for token in tokens { center.removeObserver(token) }
    }

    /// The floor for a queue: one block for each call.
    private func closures(on queue: DispatchQueue) async {
        var all: [@Sendable (Int) -> Void] = []
        var state = 0
        await measure("closures", on: queue) {
            for _ in 0..<count { all.append { _ in } }
        } telling: {
            state += 1
            for call in all { queue.async { [state] in call(state) } }
        }
    }

    private func measure(
        _ name: String, on queue: DispatchQueue? = nil, adding add: () -> Void,
        telling tell: () -> Void
    ) async {
        let start = Stopwatch()
        add()
        let adding = start.seconds
        let watch = Stopwatch()
        for _ in 0..<rounds {
            tell()
            // The last one on the queue: when it has been called, so have all the others.
            guard let queue else { continue }
            await withCheckedContinuation { told in queue.async { told.resume() } }
        }
        let telling = watch.seconds / Double(rounds)
        print(name, String(format: "%.3f %.3f", 1e6 * telling, 1e6 * adding / Double(count)))
    }

    private struct Stub: HTTPTransport {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(
                status: 200, headers: [:], url: URL(fileURLWithPath: "/"),
                body: ResponseBody(Data()))
        }
    }
}
