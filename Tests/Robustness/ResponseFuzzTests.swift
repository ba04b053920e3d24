// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport
import Testing

/// Answers that are broken in every way, over loopback: nothing crashes, hangs or grows, and what follows is
/// right.
///
/// `Scripts/fuzz` runs as many as asked for. A mutation is known by its seed, which is that of the run plus
/// its number.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct ResponseFuzzTests {
    /// How one was read.
    private enum Reading: CaseIterable {
        case collected, streamed, actor, endpoint
    }

    /// How many are answered by one server, and read at once.
    private static let round = 100
    private static let width = 16
    /// How many healthy requests had to be asked twice.
    private static let late = Locked(0)

    @Test func brokenAnswersHarmNobody() async throws {
        let (seed, count) = (Setting.fuzzSeed, Setting.fuzzCount)
        print("fuzz: \(count) answers from seed \(seed)")
        var (answered, failed) = (0, 0)
        var start: ProcessSize?
        for first in stride(from: 0, to: count, by: Self.round) {
            let seeds = (first..<min(first + Self.round, count)).map { seed &+ UInt64($0) }
            let ends = try await Self.round(seeds)
            answered += ends.answered
            failed += ends.failed
            // The first rounds fill the caches of everybody.
            if first == 3 * Self.round { start = .now }
            if first % 2_000 == 0 { print("fuzz: \(first) of \(count), \(ProcessSize.now)") }
        }
        let end = ProcessSize.now
        let late = Self.late.withLock { $0 }
        print("fuzz: \(answered) answered, \(failed) failed, none hung; at the end \(end)")
        print("fuzz: \(late) met bytes that came late")
        #expect(late <= 1 + count / 1_000)
        guard Setting.isAlone, count >= 2_000, let start else { return }
        print("fuzz: at the start \(start)")
        #expect(end.kilobytes - start.kilobytes < 32 << 10, "memory grows")
        #expect(end.descriptors - start.descriptors < 64, "descriptors stay open")
        #expect(end.threads - start.threads < 16, "threads stay")
    }

    /// Reads some at once, then asks for answers that are well.
    private static func round(_ seeds: [UInt64]) async throws -> (answered: Int, failed: Int) {
        // From the seed alone: nothing has to be told to the server.
        let server = try LoopbackServer(recordsRequests: false) { request in
            let words = request.path.split(separator: "/")
            guard words.first == "mutant", let seed = words.last.flatMap({ UInt64($0) }) else {
                return .text(request.path)
            }
            return Mutant(seed: seed).answer
        }
        var (answered, failed) = (0, 0)
        for start in stride(from: 0, to: seeds.count, by: width) {
            let ends = try await withThrowingTaskGroup(of: Bool.self) { group in
                for seed in seeds[start..<min(start + width, seeds.count)] {
                    group.addTask { try await isAnswered(Mutant(seed: seed), server.url) }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            answered += ends.count { $0 }
            failed += ends.count { !$0 }
        }
        // Over the connections that are left, and over new ones.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<width {
                group.addTask { try await expectHealth(number, server.url) }
            }
            try await group.waitForAll()
        }
        return (answered, failed)
    }

    /// Asks for an answer that is well.
    ///
    /// The first time it may meet bytes that came a moment after an answer, and is told so, or is given them.
    private static func expectHealth(_ number: Int, _ url: URL) async throws {
        let path = "/healthy/\(number)"
        for isLast in [false, true] {
            let text: String? = try? await API.shared.request(
                url: url.absoluteString + path, method: .get, debug: false)
            if text == path { return }
            late.withLock { $0 += 1 }
            #expect(!isLast, "\(text ?? "no answer") and not \(path)")
        }
    }

    /// Reads one; false: it was refused.
    private static func isAnswered(_ mutant: Mutant, _ root: URL) async throws -> Bool {
        var random = Seeded(~mutant.seed)
        let reading = random.pick(Reading.allCases)
        let url = root.appendingRelative("/mutant/\(mutant.seed)")
        // Whoever waits in vain costs time; whoever does not must not be late.
        var idleLimit = 0.25
        if case .answer = mutant.right { idleLimit = 30 }
        let result = await watched("\(mutant)") {
            do {
                return Result<(Int, Data), any Error>.success(
                    try await read(url, reading, idleLimit))
            } catch {
                return .failure(error)
            }
        }
        switch (result, mutant.right) {
        case (.success, .failure): Issue.record("taken for whole: \(mutant), \(reading)")
        case (.success(let (status, body)), .answer(let legal)):
            #expect(status == legal.status, "\(mutant), \(reading)")
            #expect(body == Data((legal.body ?? "").utf8), "\(mutant), \(reading)")
        case (.failure(let error), .answer(let legal)):
            let isStatus = (error as? HTTPStatusError)?.status == legal.status
            #expect(isStatus && legal.status >= 300, "\(mutant), \(reading): \(error)")
        default: break
        }
        if case .failure(let error) = result {
            #expect(isClear(error), "\(mutant), \(reading): \(error)")
        }
        // The one that comes next may go over the same connection.
        if random.once(in: 4) { try await expectHealth(random.number(0...99), root) }
        return (try? result.get()) != nil
    }

    private static func read(
        _ url: URL, _ reading: Reading, _ idleLimit: Double
    ) async throws -> (Int, Data) {
        var urlRequest = URLRequest(url: url)
        urlRequest.timeoutInterval = idleLimit
        switch reading {
        case .actor:
            let data: Data = try await API.shared.request(
                url: url.absoluteString, method: .get, debug: false, timeoutInterval: idleLimit)
            return (data.isEmpty ? 204 : 200, data)
        case .endpoint:
            let endpoint = Endpoint(request: urlRequest) { ($1.statusCode, $0 ?? Data()) }
            return try await endpoint.load()
        case .collected, .streamed:
            var request = HTTPRequest(urlRequest)
            if reading == .collected { request.options.collect = 1 << 20 }
            let response = try await DefaultTransport.default.send(request)
            return (response.status, try await response.data(upTo: 1 << 20))
        }
    }

    /// Whether an error says what went wrong, and that the server may have acted.
    private static func isClear(_ error: any Error) -> Bool {
        if error is HTTPStatusError || error is ResponseBodyError { return true }
        guard let error = error as? URLError else { return false }
        return error.code != .unknown && error.requestMayHaveArrived
            && !error.localizedDescription.isEmpty
    }
}
#endif
