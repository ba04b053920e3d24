// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What Docs/Retry.md shows.
///
/// With `DUET_RETRY_CSV`, the loads are written to that file, to be plotted.
@Suite(.timeLimit(.minutes(5)))
struct RetrySimulationInternalTests {
    private static let loads = [
        "no repeats": RetrySimulation(attempts: 1).load(),
        "repeats": RetrySimulation(hasJitter: false, hasBudget: false).load(),
        "jitter": RetrySimulation(hasBudget: false).load(),
        "jitter and budget": RetrySimulation().load(),
    ]

    private func share(_ name: String) throws -> Double {
        RetrySimulation.share(try #require(Self.loads[name]))
    }

    @Test func withoutABudgetTheLoadIsMultipliedByTheAttempts() throws {
        #expect(try share("no repeats") == 1)
        for name in ["repeats", "jitter"] {
            #expect(try (3.8...4).contains(share(name)), "\(name)")
        }
    }

    @Test func withABudgetAFifthIsAddedAtMost() throws {
        #expect(try (1.1...1.2).contains(share("jitter and budget")))
    }

    // The calls that come all at once are 1,000; the repeats add to other moments.
    @Test func withJitterTheyDoNotComeBackTogether() throws {
        let peak = { (name: String) in try #require(Self.loads[name]?.max()) }
        #expect(try peak("repeats") == 3_000)
        #expect(try peak("jitter") < 1_600)
        #expect(try peak("jitter and budget") < 1_300)
    }

    @Test func afterTheFailureTheLoadIsWhatItWas() throws {
        let load = try #require(Self.loads["jitter and budget"])
        #expect(load[(80 * 10)...].reduce(0, +) == RetrySimulation.clients * 10)
    }

    @Test func itIsTheSameEachTime() throws {
        #expect(RetrySimulation().load() == Self.loads["jitter and budget"])
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["DUET_RETRY_CSV"] != nil))
    func writesTheLoads() throws {
        let path = try #require(ProcessInfo.processInfo.environment["DUET_RETRY_CSV"])
        let columns = Self.loads.sorted { $0.key < $1.key }
        var text = "seconds," + columns.map(\.key).joined(separator: ",") + "\n"
        for tenth in 0..<Int(RetrySimulation.end * 10) {
            let cells = columns.map { "\($0.value[tenth])" }
            text += "\(Double(tenth) / 10)," + cells.joined(separator: ",") + "\n"
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
