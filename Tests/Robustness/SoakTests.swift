// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

/// A mix of all that there is, for as long as `Scripts/soak mix` asks: each request has its one result, none is
/// lost, none acts twice, and nothing grows.
@Suite(.serialized, .enabled(if: NginxServer.isInstalled), .timeLimit(.minutes(60)))
struct SoakTests {
    private static let width = 16

    /// What became of the requests.
    private struct Counts: Sendable {
        var sent = 0
        var answered = 0
        var failedAsScripted = 0
        var kinds: [String: Int] = [:]

        var lost: Int { sent - answered - failedAsScripted }
    }

    @Test func everythingForAWhile() async throws {
        try await run()
        // Connections are closed on a thread that is on its way out, and what is half closed when the process
        // ends looks like a leak. In the suite, others have such threads too.
        for _ in 0..<300 where ProcessSize.threadsOfLibcurl > 0 {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
    }

    private func run() async throws {
        let counts = Locked(Counts())
        let mix = try SoakMix()
        let end = ProcessInfo.processInfo.systemUptime + Setting.soakSeconds
        // The first fifth fills pools and caches.
        let settled = ProcessInfo.processInfo.systemUptime + Setting.soakSeconds / 5
        var sizes: [ProcessSize] = []
        var round: UInt64 = 0
        repeat {
            await withTaskGroup { group in
                for worker in 0..<Self.width {
                    let seed = Setting.fuzzSeed &+ round &* 1_000 &+ UInt64(worker)
                    group.addTask { await Self.work(mix, Seeded(seed), counts) }
                }
                await group.waitForAll()
            }
            round += 1
            let now = ProcessInfo.processInfo.systemUptime
            if now > settled { sizes.append(.now) }
        } while ProcessInfo.processInfo.systemUptime < end
        let (all, twice) = (counts.withLock { $0 }, mix.actedTwice)
        print(
            "soak: \(all.sent) sent, \(all.answered) answered, \(all.failedAsScripted) failed as scripted,"
                + " \(all.lost) lost, \(twice) duplicated")
        for (kind, count) in all.kinds.sorted(by: { $0.key < $1.key }) {
            print("soak: \(kind) \(count)")
        }
        #expect(all.lost == 0)
        #expect(twice == 0)
        guard let first = sizes.first, let last = sizes.last else { return }
        print("soak: after a fifth of the time \(first), at the end \(last)")
        guard Setting.isAlone else { return }
        #expect(last.kilobytes - first.kilobytes < 12 << 10, "memory grows")
        #expect(last.descriptors - first.descriptors < 160, "descriptors stay open")
        #expect(last.threads - first.threads < 32, "threads stay")
    }

    /// Some requests, one after another.
    private static func work(_ mix: SoakMix, _ random: Seeded, _ counts: Locked<Counts>) async {
        var random = random
        let kinds = SoakMix.Kind.allCases.filter { Setting.soakKinds?.contains("\($0)") ?? true }
        for _ in 0..<50 {
            let kind = random.pick(kinds)
            let number = mix.nextNumber()
            counts.withLock { $0.sent += 1 }
            do {
                let isAnswered = try await watched("soak: \(kind)") {
                    try await mix.run(kind, number, &random)
                }
                counts.withLock { counts in
                    if isAnswered { counts.answered += 1 } else { counts.failedAsScripted += 1 }
                    counts.kinds["\(kind)", default: 0] += 1
                }
            } catch {
                Issue.record("\(kind) \(number): \(error)")
            }
        }
    }
}
#endif
