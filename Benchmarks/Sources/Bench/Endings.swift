// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// How transfers end, and what many of them leave behind: each prints one sentence.
struct Endings {
    let url: URL
    let transport: any HTTPTransport = CurlTransport().standard(cookies: .off)

    /// Cancels downloads in their middle, one after another, and says how long each took to return.
    func cancel(_ count: Int) async throws {
        var times: [Double] = []
        for _ in 0..<count {
            let (started, hasBytes) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for try await _ in try await transport.send(HTTPRequest(URLRequest(url: url))).body
                {
                    hasBytes.yield()
                }
            }
            for await _ in started { break }
            let watch = Stopwatch()
            task.cancel()
            guard case .failure(is CancellationError) = await task.result else {
                throw URLError(.unknown)
            }
            times.append(1_000 * watch.seconds)
        }
        times.sort()
        print(
            String(
                format: "\(count) cancels: median %.2f ms, slowest %.2f ms.", times[count / 2],
                times[count - 1]))
    }

    /// Sends many small requests, cancels each after a while that half of them outlive, and counts what became
    /// of them.
    func race(_ count: Int, width: Int) async throws {
        let request = HTTPRequest(URLRequest(url: url))
        let ends = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<width {
                group.addTask {
                    var (answered, cancelled) = (0, 0)
                    // Nanoseconds: longer after each cancel, shorter after each answer.
                    var longest = 2_000_000.0
                    for _ in 0..<(count / width) {
                        let task = Task { try await transport.send(request).data().count }
                        try await Task.sleep(nanoseconds: UInt64(.random(in: 0...longest)))
                        task.cancel()
                        switch await task.result {
                        case .success:
                            answered += 1
                            longest *= 0.95
                        case .failure(is CancellationError):
                            cancelled += 1
                            longest /= 0.95
                        case .failure(let error): throw error
                        }
                    }
                    return (answered, cancelled)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        print(
            "\(count / width * width) requests, \(width) at once, each cancelled about when its answer comes: "
                + "\(ends.0) answered, \(ends.1) cancelled, none without an end."
        )
    }

    /// Sends many small requests and says how the process has grown since the first tenth of them.
    func flat(_ count: Int, width: Int) async throws {
        var request = HTTPRequest(URLRequest(url: url))
        request.options.collect = 1 << 20
        let sent = request
        var start = Counts.now
        for tenth in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<width {
                    group.addTask {
                        for _ in 0..<(count / 10 / width) { _ = try await transport.send(sent) }
                    }
                }
                try await group.waitForAll()
            }
            if tenth == 0 { start = .now }
        }
        let end = Counts.now
        print(
            "\(count) requests, \(width) at once: memory grew by \((end.kilobytes - start.kilobytes) / 1024) MiB, "
                + "descriptors by \(end.descriptors - start.descriptors), threads by \(end.threads - start.threads)."
        )
    }

    /// What the system counts of this process.
    private struct Counts {
        var kilobytes = 0
        var threads = 0
        var descriptors = 0

        static var now: Counts {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            func number(_ name: String) -> Int {
                let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
                return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
                    Int($0)
                } ?? -1
            }
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            return Counts(
                kilobytes: number("VmRSS:"), threads: number("Threads:"), descriptors: open ?? -1)
        }
    }
}
