// SPDX-License-Identifier: MIT

internal import Foundation

extension ResponseBody {
    typealias Read = @Sendable () async throws -> Data?

    /// Another body, watched on its way: it ends with this one.
    ///
    /// - Parameters:
    ///   - body: Not read yet.
    ///   - read: Reads each chunk.
    ///   - onChunk: Called for each, a whole body at once.
    ///   - metrics: Changes them.
    ///   - onEnd: Called once, with the failure. Dropped or cancelled before the end: `CancellationError`.
    init(
        wrapping body: ResponseBody,
        read: @escaping @Sendable (@escaping Read) async throws -> Data? = { try await $0() },
        onChunk: @escaping @Sendable (Data) -> Void = { _ in },
        metrics: @escaping @Sendable (inout HTTPMetrics) -> Void = { _ in },
        onEnd: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) {
        @Sendable func changed(_ body: ResponseBody?) -> HTTPMetrics? {
            guard var changed = body?.metrics else { return nil }
            metrics(&changed)
            return changed
        }
        if let whole = body.whole {
            self.init(whole, metrics: changed(body))
            onChunk(whole)
            onEnd(nil)
            return
        }
        // Nil once this one is cancelled: the other body ends with its last copy.
        let inner = Locked<(body: ResponseBody, bytes: Iterator)?>((body, body.makeAsyncIterator()))
        let hasEnded = Locked(false)
        @Sendable func end(_ failure: (any Error)?) {
            if !hasEnded.withLock({ exchange(&$0, true) }) { onEnd(failure) }
        }
        self.init(
            next: {
                do {
                    let chunk = try await read {
                        var bytes = inner.withLock { $0?.bytes }
                        return try await bytes?.next()
                    }
                    if let chunk { onChunk(chunk) } else { end(nil) }
                    return chunk
                } catch {
                    end(error)
                    throw error
                }
            }, metrics: { changed(inner.withLock { $0?.body }) },
            cancel: {
                end(CancellationError())
                _ = inner.withLock { exchange(&$0, nil) }
            })
    }
}
