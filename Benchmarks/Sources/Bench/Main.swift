// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

/// Sends a number of small GETs with a number of them at once, over one of our ways or URLSession's.
///
///     Bench <transport|endpoint|api|json|urlsession> <url> <requests> <concurrency>
///
/// Prints seconds and CPU seconds. Or reads one body, sleeping after each chunk:
///
///     Bench stream <url> <milliseconds>
@main
struct Bench {
    struct Todo: Decodable, Sendable {
        let id: Int
        let title: String
        let completed: Bool
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "stream", let url = URL(string: arguments[2]) {
            return try await SlowReader(url: url, pause: Double(arguments[3]) ?? 0).run()
        }
        guard arguments.count == 5, let url = URL(string: arguments[2]),
            let count = Int(arguments[3]), let width = Int(arguments[4])
        else { fatalError("usage: Bench <way> <url> <requests> <concurrency>") }
        let work = way(arguments[1], url)
        try await work()
        let start = (wall: now(CLOCK_MONOTONIC), cpu: now(CLOCK_PROCESS_CPUTIME_ID))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<width {
                let share = count / width + (worker < count % width ? 1 : 0)
                group.addTask { for _ in 0..<share { try await work() } }
            }
            try await group.waitForAll()
        }
        let wall = now(CLOCK_MONOTONIC) - start.wall
        let cpu = now(CLOCK_PROCESS_CPUTIME_ID) - start.cpu
        print(String(format: "%.4f %.4f", wall, cpu))
    }

    static func way(_ name: String, _ url: URL) -> @Sendable () async throws -> Void {
        let request = URLRequest(url: url)
        switch name {
        case "transport":
            let transport = CurlTransport()
            return {
                var request = HTTPRequest(request)
                request.options.collect = 1 << 20
                _ = try await transport.send(request).data()
            }
        case "endpoint":
            let endpoint = Endpoint(request: request) { data, _ in data?.count ?? 0 }
            return { _ = try await endpoint.load() }
        case "json":
            let endpoint = Endpoint<[Todo]>(
                request: request, decodeResponse: JSONDecoder().decodeResponse)
            return { _ = try await endpoint.load() }
        case "api":
            API.logsByDefault = false
            let text = url.absoluteString
            return { let _: Data = try await API.shared.request(url: text, method: .get) }
        case "urlsession":
            let session = URLSession(configuration: .ephemeral)
            return { _ = try await session.data(for: request) }
        default:
            fatalError("no such way: \(name)")
        }
    }

    static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
