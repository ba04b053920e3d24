// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

/// The ways to send one GET that are measured beside each other.
struct Ways {
    typealias Way = @Sendable () async throws -> Void

    private struct Todo: Decodable, Sendable {
        let id: Int
        let title: String
        let completed: Bool
    }

    let url: URL
    /// A PEM file: the servers that it vouches for are trusted, beside those of the system's CAs.
    let roots: Data?

    private var request: URLRequest { URLRequest(url: url) }
    private var transport: CurlTransport {
        Stopwatch.naming {
            CurlTransport(trust: roots.map { .roots($0, addingToSystem: true) } ?? .system)
        }
    }
    /// As `.default` has it.
    private var stack: any HTTPTransport { transport.standard(cookies: .shared) }

    func way(_ name: String) -> Way? {
        switch name {
        case "transport", "pieces": return bare(collects: name == "transport")
        case "endpoint":
            let endpoint = Endpoint(request: request) { data, _ in data?.count ?? 0 }
            return load(endpoint)
        case "endpoint-json":
            return load(
                Endpoint<[Todo]>(
                    request: request, decodeResponse: JSONDecoder().decodeResponse))
        case "api": return call(Data.self)
        case "api-json": return call([Todo].self)
        case "urlsession", "urlsession-json": return foundation(decodes: name != "urlsession")
        default: return nil
        }
    }

    /// The body in one piece, as the typed calls ask for it, or piece by piece, keeping none.
    private func bare(collects: Bool) -> Way {
        var request = HTTPRequest(request)
        request.options.collect = collects ? HTTPResponse.defaultLimit : nil
        return { [request, transport] in
            let response = try await transport.send(request)
            if collects {
                _ = try await response.data()
            } else {
                for try await _ in response.body {}
            }
        }
    }

    private func load<T>(_ endpoint: Endpoint<T>) -> Way {
        { [stack] in _ = try await endpoint.load(on: stack) }
    }

    private func call<T: Decodable & Sendable>(_ type: T.Type) -> Way {
        API.logsByDefault = false
        let (api, text) = (API(transport: stack), url.absoluteString)
        return { let _: T = try await api.request(url: text, method: .get) }
    }

    private func foundation(decodes: Bool) -> Way {
        let session = URLSession(configuration: .ephemeral)
        return { [request] in
            let (data, _) = try await session.data(for: request)
            if decodes { _ = try JSONDecoder().decode([Todo].self, from: data) }
        }
    }
}
