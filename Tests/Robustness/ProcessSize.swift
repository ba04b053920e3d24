// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation

/// What the system counts of this process.
struct ProcessSize: CustomStringConvertible {
    let kilobytes: Int
    /// The most that there ever were.
    let peakKilobytes: Int
    let descriptors: Int
    let threads: Int

    static var now: ProcessSize {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func number(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            let words = line?.split(whereSeparator: \.isWhitespace) ?? []
            return words.count > 1 ? Int(words[1]) ?? -1 : -1
        }
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return ProcessSize(
            kilobytes: number("VmRSS:"), peakKilobytes: number("VmHWM:"), descriptors: open ?? -1,
            threads: number("Threads:"))
    }

    /// How many transports have not ended.
    static var threadsOfLibcurl: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
                .hasPrefix("Duet libcurl") == true
        }
    }

    var description: String {
        "\(kilobytes / 1024) MiB, \(descriptors) descriptors, \(threads) threads"
    }
}
#endif
