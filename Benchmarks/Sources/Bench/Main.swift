// SPDX-License-Identifier: MIT

import Foundation

/// Our side of what is measured, and `URLSession`'s.
///
/// One of the `Ways` to GET, so many times with so many at once; a PEM file names servers to trust:
///
///     Bench <transport|pieces|endpoint|endpoint-json|api|api-json|urlsession|urlsession-json> <url> <count> <concurrency> [PEM]
///
/// Large bodies, forms, and what is watched over a long time:
///
///     Bench <download|urlsession-download> <url>
///     Bench <save|upload|urlsession-upload|form> <url> <file>
///     Bench encode <file>
///     Bench stream <url> <milliseconds>
///     Bench <cancel|race|flat> <url> <count> <concurrency>
///
/// No network at all:
///
///     Bench observers <count>
///     Bench response <count>
///
/// What is timed prints seconds, CPU seconds, and those of libcurl's thread, the start of the process left out.
@main
enum Bench {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let known = try await runs(arguments)
        guard known else { fatalError("no such way: \(arguments.joined(separator: " "))") }
    }

    private static func runs(_ arguments: [String]) async throws -> Bool {
        guard arguments.count > 1 else { return false }
        let (name, first, file) = (arguments[0], arguments[1], arguments.dropFirst(2).first ?? "")
        switch name {
        case "observers": await Observers(count: Int(first) ?? 0).run()
        case "response": ResponseHead.run(Int(first) ?? 0)
        case "encode": try await Forms(file: first).encode()
        case "form": try await Forms(file: file).upload(to: first)
        default:
            guard let url = URL(string: first) else { return false }
            return try await sends(name, url, file, Array(arguments.dropFirst(2)))
        }
        return true
    }

    private static func sends(
        _ name: String, _ url: URL, _ file: String, _ more: [String]
    ) async throws -> Bool {
        let transfers = Transfers(url: url)
        let numbers = more.prefix(2).compactMap { Int($0) }
        let (count, width) = (numbers.first ?? 0, numbers.last ?? 0)
        switch name {
        case "download": try await transfers.download()
        case "save": try await transfers.save(file)
        case "upload": try await transfers.upload(file)
        case "urlsession-download": try await FoundationTransfers(url: url).download()
        case "urlsession-upload": try await FoundationTransfers(url: url).upload(file)
        case "stream": try await SlowReader(url: url, pause: Double(count)).run()
        case "cancel": try await Endings(url: url).cancel(count)
        case "race": try await Endings(url: url).race(count, width: width)
        case "flat": try await Endings(url: url).flat(count, width: width)
        default:
            let roots = try more.dropFirst(2).first.map {
                try Data(contentsOf: URL(fileURLWithPath: $0))
            }
            guard let way = Ways(url: url, roots: roots).way(name) else { return false }
            try await measure(way, count, width)
        }
        return true
    }

    /// Does it once unmeasured, then so many times.
    private static func measure(_ way: @escaping Ways.Way, _ count: Int, _ width: Int) async throws
    {
        try await way()
        let watch = Stopwatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<width {
                let share = count / width + (worker < count % width ? 1 : 0)
                group.addTask { for _ in 0..<share { try await way() } }
            }
            try await group.waitForAll()
        }
        watch.report()
    }
}
