// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// One large body by the transport.
struct Transfers {
    let url: URL
    let transport: any HTTPTransport = CurlTransport().standard(cookies: .off)

    /// Reads a body to its end, keeping nothing.
    func download() async throws {
        let watch = Stopwatch()
        var bytes = 0
        for try await chunk in try await transport.send(HTTPRequest(URLRequest(url: url))).body {
            bytes += chunk.count
        }
        watch.report()
        guard bytes > 0 else { throw URLError(.zeroByteResource) }
    }

    /// Downloads to a file.
    func save(_ path: String) async throws {
        let watch = Stopwatch()
        try await API(transport: transport)
            .download(url: url.absoluteString, to: URL(fileURLWithPath: path))
        watch.report()
    }

    /// Sends a file.
    func upload(_ path: String) async throws {
        let watch = Stopwatch()
        let request = URLRequest(method: .put, url: url)
        let response = try await transport.send(
            HTTPRequest(request, body: .file(URL(fileURLWithPath: path))))
        guard response.status == 200 else { throw URLError(.badServerResponse) }
        _ = try await response.data()
        watch.report()
    }
}
