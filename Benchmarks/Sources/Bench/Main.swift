// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

/// Sends a number of small GETs with a number of them at once, over one of our ways or URLSession's.
///
///     Bench <transport|transport-added|endpoint|api|json|urlsession|urlsession-json> <url> <count> <concurrency> [PEM]
///     Bench observers <count>
///
/// Prints seconds and CPU seconds. With a PEM file, the servers that it vouches for are trusted; `-added`
/// trusts the system's CAs too. `stream` reads one body, sleeping after each chunk; `Transfers` and `Forms`
/// have the ways that move a large one:
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
        if arguments.count == 3, arguments[1] == "observers", let count = Int(arguments[2]) {
            return await Observers.run(count)
        }
        if arguments.count == 4, arguments[1] == "stream", let url = URL(string: arguments[2]) {
            return try await SlowReader(url: url, pause: Double(arguments[3]) ?? 0).run()
        }
        if arguments.count == 3, arguments[1] == "encode" {
            return try await Forms(file: arguments[2]).encode()
        }
        if arguments.count == 4, arguments[1] == "form" {
            return try await Forms(file: arguments[3]).upload(to: arguments[2])
        }
        guard arguments.count >= 5, let url = URL(string: arguments[2]),
            let count = Int(arguments[3]), let width = Int(arguments[4])
        else { fatalError("usage: Bench <way> <url> <requests> <concurrency>") }
        let file = arguments.count > 5 ? arguments[5] : nil
        let transfers = Transfers(url: url)
        switch arguments[1] {
        case "download": return try await transfers.download()
        case "save": return try await transfers.save(CommandLine.arguments[5])
        case "upload": return try await transfers.upload(file ?? "")
        case "cancel": return try await transfers.cancel(count)
        case "race": return try await transfers.race(count, width: width)
        case "flat": return try await transfers.flat(count, width: width)
        default: break
        }
        let work = way(
            arguments[1], url, try file.map { try Data(contentsOf: URL(fileURLWithPath: $0)) })
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

    static func way(_ name: String, _ url: URL, _ roots: Data?) -> @Sendable () async throws -> Void
    {
        let request = URLRequest(url: url)
        let trust = roots.map { ServerTrust.roots($0, addingToSystem: name == "transport-added") }
        let stack: any HTTPTransport = trust.map { CurlTransport(trust: $0).standard() } ?? .default
        switch name {
        case "transport", "transport-added":
            let transport = CurlTransport(trust: trust ?? .system)
            return {
                var request = HTTPRequest(request)
                request.options.collect = 1 << 20
                _ = try await transport.send(request).data()
            }
        case "endpoint":
            let endpoint = Endpoint(request: request) { data, _ in data?.count ?? 0 }
            return { _ = try await endpoint.load(on: stack) }
        case "json":
            let endpoint = Endpoint<[Todo]>(
                request: request, decodeResponse: JSONDecoder().decodeResponse)
            return { _ = try await endpoint.load(on: stack) }
        case "api":
            API.logsByDefault = false
            let text = url.absoluteString
            let api = API(transport: stack)
            return { let _: Data = try await api.request(url: text, method: .get) }
        case "urlsession":
            let session = URLSession(configuration: .ephemeral)
            return { _ = try await session.data(for: request) }
        case "urlsession-json":
            let session = URLSession(configuration: .ephemeral)
            return {
                let (data, _) = try await session.data(for: request)
                _ = try JSONDecoder().decode([Todo].self, from: data)
            }
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
