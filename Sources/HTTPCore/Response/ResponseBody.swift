// SPDX-License-Identifier: MIT

public import Foundation

/// The bytes after a response's head, as they come, read once and by one reader.
///
/// A slow reader slows the server down: no more than a bounded part is held in memory. Dropping the
/// body, or the response that holds it, ends the transfer.
///
/// ```swift
/// for try await chunk in response.body {
///     received += chunk.count
/// }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    public typealias Element = Data

    private let owner: Owner

    /// A body that is there already.
    public init(_ data: Data = Data()) {
        self.init(data, metrics: nil)
    }

    /// A body that a sequence gives, which is iterated once.
    public init<S: AsyncSequence & Sendable>(_ chunks: S) where S.Element == Data {
        // Touched by `next` alone, which the body's one reader calls, one call at a time.
        nonisolated(unsafe) var iterator = chunks.makeAsyncIterator()
        owner = Owner(next: { try await iterator.next() })
    }

    package init(_ data: Data, metrics: HTTPMetrics?) {
        owner = Owner(whole: data, metrics: { metrics })
    }

    /// A body that a transport brings; `cancel` ends the transfer, at the latest with the last copy.
    package init(
        next: @escaping @Sendable () async throws -> Data?,
        metrics: @escaping @Sendable () -> HTTPMetrics?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        owner = Owner(next: next, metrics: metrics, cancel: cancel)
    }

    public func makeAsyncIterator() -> Iterator {
        let isFirst = owner.isClaimed.withLock { !exchange(&$0, true) }
        return Iterator(owner: owner, isFirst: isFirst)
    }

    /// One pass over a body, the only one that gives bytes.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let owner: Owner
        fileprivate let isFirst: Bool
        fileprivate var wholeIsGiven = false

        /// Returns the next bytes, nil at the end.
        ///
        /// - Throws: `URLError` when the connection fails or the body is cut; `CancellationError`;
        ///   ``ResponseBodyError`` when the body was read before.
        public mutating func next() async throws -> Data? {
            guard isFirst else { throw ResponseBodyError(.alreadyRead) }
            guard let whole = owner.whole else { return try await owner.next() }
            return exchange(&wholeIsGiven, true) || whole.isEmpty ? nil : whole
        }
    }

    /// The bytes of a body that is there already, without reading it.
    package var whole: Data? { owner.whole }

    package var metrics: HTTPMetrics? { owner.metrics() }

    func data(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.count <= limit else {
                owner.cancel()
                throw ResponseBodyError(.tooLarge(limit: limit))
            }
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        return data
    }

    /// What the copies of a body share; the transfer ends with the last of them.
    fileprivate final class Owner: Sendable {
        let whole: Data?
        let next: @Sendable () async throws -> Data?
        let metrics: @Sendable () -> HTTPMetrics?
        let cancel: @Sendable () -> Void
        let isClaimed = Locked(false)

        init(
            whole: Data? = nil, next: @escaping @Sendable () async throws -> Data? = { nil },
            metrics: @escaping @Sendable () -> HTTPMetrics? = { nil },
            cancel: @escaping @Sendable () -> Void = {}
        ) {
            (self.whole, self.next, self.metrics, self.cancel) = (whole, next, metrics, cancel)
        }

        deinit {
            cancel()
        }
    }
}
