// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore

/// Reads a body to its end and sleeps after each chunk, then drops the same body after its first one.
///
/// Prints what a proof needs: bytes, chunks, seconds, the peak of memory, and the sockets that are open at
/// the end, of which the dropped one is none.
struct SlowReader {
    let url: URL
    /// Milliseconds.
    let pause: Double

    func run() async throws {
        let transport = CurlTransport().standard(cookies: .off)
        let start = ProcessInfo.processInfo.systemUptime
        var (bytes, chunks) = (0, 0)
        for try await chunk in try await transport.send(HTTPRequest(URLRequest(url: url))).body {
            bytes += chunk.count
            chunks += 1
            try await Task.sleep(nanoseconds: UInt64(pause * 1_000_000))
        }
        let seconds = ProcessInfo.processInfo.systemUptime - start
        for try await _ in try await transport.send(HTTPRequest(URLRequest(url: url))).body {
            break
        }
        // Nothing tells when the loop has closed it.
        for _ in 0..<200 where openSockets > 0 { try await Task.sleep(nanoseconds: 10_000_000) }
        print(
            "bytes=\(bytes) chunks=\(chunks)", String(format: "seconds=%.2f", seconds),
            "peak_kib=\(peakMemory) sockets=\(openSockets)")
    }

    /// Peak resident memory in KiB.
    private var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
            ?? -1
    }

    /// TCP connections of this process.
    private var openSockets: Int {
        let port = ":" + String(format: "%04X", url.port ?? 80)
        let (files, folder) = (FileManager.default, "/proc/self/fd")
        let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        let own = Set(
            descriptors.compactMap {
                try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            })
        // Read to its end: as a file it has no size, of which Foundation takes the first page.
        let tcp = FileHandle(forReadingAtPath: "/proc/self/net/tcp")
        let table = String(decoding: (try? tcp?.readToEnd()) ?? Data(), as: UTF8.self)
        return table.split(separator: "\n").dropFirst().filter { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.count > 9 && words[2].hasSuffix(port)
                && own.contains("socket:[\(words[9])]")
        }.count
    }
}
