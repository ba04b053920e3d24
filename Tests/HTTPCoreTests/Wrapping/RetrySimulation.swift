// SPDX-License-Identifier: MIT

import Foundation

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// 1,000 clients that each call a server once a second, all at the same moment, while it fails for a minute:
/// what it has to bear, in a time that is counted and not waited.
///
/// Which call is repeated, and after what wait, is the retry layer's own decision.
struct RetrySimulation {
    static let clients = 1_000
    /// The server answers 503 to everything.
    static let failure = 10.0..<70.0
    static let end = 90.0

    var attempts = 4
    var hasJitter = true
    var hasBudget = true

    /// How many requests reach the server in each tenth of a second.
    func load() -> [Int] {
        var load = Array(repeating: 0, count: Int(Self.end * 10))
        for client in 0..<Self.clients { play(client, &load) }
        return load
    }

    /// How many times what its clients want the server gets while it fails.
    static func share(_ load: [Int]) -> Double {
        let failing = load[Int(failure.lowerBound * 10)..<Int(failure.upperBound * 10)]
        let calls = Double(clients) * (failure.upperBound - failure.lowerBound)
        return Double(failing.reduce(0, +)) / calls
    }

    private func play(_ client: Int, _ load: inout [Int]) {
        let (time, seed) = (Locked(0.0), Locked(SplitMix(state: UInt64(client + 1))))
        var policy = RetryPolicy(attempts: attempts)
        if !hasBudget { policy.budget = nil }
        let layer = RetryTransport(
            base: StubTransport { _ in .status(503) }, policy: policy,
            random: { [hasJitter] in
                hasJitter ? seed.withLock { Double.random(in: 0...1, using: &$0) } : 1
            }, uptime: { time.withLock { $0 } })
        let url = URL(string: "https://host/")!
        let failure = HTTPResponse(status: 503, url: url, body: ResponseBody())
        var request = HTTPRequest(URLRequest(url: url))
        // The next event is the last.
        var events = (0..<Int(Self.end)).reversed().map { (time: Double($0), attempt: 1) }
        while let event = events.popLast() {
            load[Int(event.time * 10)] += 1
            time.withLock { $0 = event.time }
            if event.attempt == 1 { policy.budget?.earn(now: event.time) }
            guard Self.failure.contains(event.time), event.attempt < attempts else { continue }
            request.options.attempt = event.attempt
            guard let pause = layer.pause(after: .success(failure), of: request, by: policy),
                event.time + pause < Self.end
            else { continue }
            let next = (time: event.time + pause, attempt: event.attempt + 1)
            events.insert(next, at: 1 + (events.lastIndex { $0.time > next.time } ?? -1))
        }
    }
}

/// A generator of random numbers that gives the same ones for the same seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
