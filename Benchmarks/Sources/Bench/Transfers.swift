// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// What is measured with one large body, or over a long time.
///
///     Bench <download|upload|cancel|race|flat> <url> <count> <concurrency> [file]
struct Transfers {
    let url: URL
    let transport: any HTTPTransport = CurlTransport().standard(cookies: .off)

    /// Reads a body to its end, keeping nothing.
    func download() async throws {
        var bytes = 0
        for try await chunk in try await transport.send(HTTPRequest(URLRequest(url: url))).body {
            bytes += chunk.count
        }
        print("bytes=\(bytes)")
    }

    /// Downloads to a file.
    func save(_ path: String) async throws {
        try await API(transport: transport)
            .download(url: url.absoluteString, to: URL(fileURLWithPath: path))
    }

    /// Sends a file.
    func upload(_ path: String) async throws {
        let request = URLRequest(method: .put, url: url)
        let response = try await transport.send(
            HTTPRequest(request, body: .file(URL(fileURLWithPath: path))))
        guard response.status == 200 else { throw URLError(.badServerResponse) }
        _ = try await response.data()
    }

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
            let start = Bench.now(CLOCK_MONOTONIC)
            task.cancel()
            guard case .failure(is CancellationError) = await task.result else {
                throw URLError(.unknown)
            }
            times.append(1_000 * (Bench.now(CLOCK_MONOTONIC) - start))
        }
        times.sort()
        print(
            String(
                format: "\(count) cancels: median %.2f ms, slowest %.2f ms.", times[count / 2],
                times[count - 1]))
    }

    /// Sends many small requests, each cancelled after 0 to 1 ms, and counts what became of them.
    func race(_ count: Int, width: Int) async throws {
        let request = HTTPRequest(URLRequest(url: url))
        let ends = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<width {
                group.addTask {
                    var (answered, cancelled) = (0, 0)
                    for _ in 0..<(count / width) {
                        let task = Task { try await transport.send(request).data().count }
                        if Bool.random() { await Task.yield() }
                        try await Task.sleep(nanoseconds: .random(in: 0...1_000_000))
                        task.cancel()
                        switch await task.result {
                        case .success: answered += 1
                        case .failure(is CancellationError): cancelled += 1
                        case .failure(let error): throw error
                        }
                    }
                    return (answered, cancelled)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        print(
            "\(count / width * width) requests cancelled after 0 to 1 ms: \(ends.0) answered, \(ends.1) cancelled, none without an end."
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
