// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One large body by Foundation alone.
struct FoundationTransfers {
    let url: URL

    /// Reads a body to its end, keeping nothing.
    func download() async throws {
        let watch = Stopwatch()
        let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        let session = URLSession(
            configuration: .ephemeral, delegate: Receiver(continuation), delegateQueue: nil)
        session.dataTask(with: url).resume()
        let bytes = try await pieces.reduce(0, +)
        watch.report()
        guard bytes > 0 else { throw URLError(.zeroByteResource) }
    }

    /// Sends a file.
    func upload(_ path: String) async throws {
        let watch = Stopwatch()
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        _ = try await URLSession.shared.upload(
            for: request, fromFile: URL(fileURLWithPath: path))
        watch.report()
    }

    private final class Receiver: NSObject, URLSessionDataDelegate {
        private let pieces: AsyncThrowingStream<Int, any Error>.Continuation

        init(_ pieces: AsyncThrowingStream<Int, any Error>.Continuation) { self.pieces = pieces }

        func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            pieces.yield(data.count)
        }

        func urlSession(
            _: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            pieces.finish(throwing: error)
        }
    }
}
