// SPDX-License-Identifier: MIT

import Foundation

/// What has passed since it was made: seconds, CPU seconds of the process, and those of libcurl's thread.
struct Stopwatch {
    private static let name = "Duet libcurl"

    private let wall = now(CLOCK_MONOTONIC)
    private let cpu = now(CLOCK_PROCESS_CPUTIME_ID)
    private let loop = loopSeconds

    var seconds: Double { Self.now(CLOCK_MONOTONIC) - wall }

    /// Prints all three.
    func report() {
        let cpu = Self.now(CLOCK_PROCESS_CPUTIME_ID) - cpu
        print(String(format: "%.6f %.6f %.6f", seconds, cpu, Self.loopSeconds - loop))
    }

    /// Starts a thread that is found by its name: Linux gives it the name of the one that starts it, and Foundation
    /// gives none before the start.
    static func naming<T>(_ start: () -> T) -> T {
        Thread.current.name = name
        defer { Thread.current.name = "Bench" }
        return start()
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The CPU seconds that the thread of the transport's loop has had, as Linux counts them.
    private static var loopSeconds: Double {
        let folder = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let times = threads.compactMap { thread -> Double? in
            guard text("\(folder)/\(thread)/comm").hasPrefix(name) else { return nil }
            return Double(text("\(folder)/\(thread)/schedstat").prefix { $0 != " " })
        }
        return times.reduce(0, +) / 1e9
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
