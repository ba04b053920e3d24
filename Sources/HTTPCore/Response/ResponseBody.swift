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
        self.init(SequenceSource(chunks))
    }

    init(_ data: Data, metrics: HTTPMetrics?) {
        self.init(WholeBody(data: data, metrics: metrics))
    }

    init(_ source: any ResponseBodySource) {
        owner = Owner(source: source)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(owner: owner, isFirst: owner.claim())
    }

    /// One pass over a body, the only one that gives bytes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner
        fileprivate let isFirst: Bool

        /// Returns the next bytes, nil at the end.
        ///
        /// - Throws: `URLError` when the connection fails or the body is cut; `CancellationError`;
        ///   ``ResponseBodyError`` when the body was read before.
        public mutating func next() async throws -> Data? {
            guard isFirst else { throw ResponseBodyError(.alreadyRead) }
            return try await owner.source.next()
        }
    }

    /// The bytes of a body that is there already, without reading it.
    package var whole: Data? { (owner.source as? WholeBody)?.data }

    package var metrics: HTTPMetrics? { owner.source.metrics }

    func data(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.count <= limit else {
                owner.source.cancel()
                throw ResponseBodyError(.tooLarge(limit: limit))
            }
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        return data
    }

    /// Reads at most this much, so that the connection can be used again, then drops the rest.
    func drain(upTo limit: Int = 65_536) async {
        _ = try? await data(upTo: limit)
    }

    /// What the copies of a body share; the transfer ends with the last of them.
    fileprivate final class Owner: Sendable {
        let source: any ResponseBodySource
        private let isClaimed = Locked(false)

        init(source: any ResponseBodySource) {
            self.source = source
        }

        deinit {
            source.cancel()
        }

        func claim() -> Bool {
            isClaimed.withLock { !exchange(&$0, true) }
        }
    }
}

/// Where the bytes of a body come from.
///
/// One reader calls `next()`, one call at a time.
package protocol ResponseBodySource: AnyObject, Sendable {
    func next() async throws -> Data?
    /// Ends the transfer. Called any number of times, from anywhere, also after the end.
    func cancel()
    /// Known when the body has ended.
    var metrics: HTTPMetrics? { get }
}

/// A body that is there already.
private final class WholeBody: ResponseBodySource {
    let data: Data
    let metrics: HTTPMetrics?
    private let isGiven = Locked(false)

    init(data: Data, metrics: HTTPMetrics?) {
        self.data = data
        self.metrics = metrics
    }

    func next() -> Data? {
        isGiven.withLock { exchange(&$0, true) } || data.isEmpty ? nil : data
    }

    func cancel() {}
}

/// A sequence of the caller's as a body.
///
/// `@unchecked Sendable`: `iterator` is touched by `next()` alone, which the body's one reader calls,
/// one call at a time.
private final class SequenceSource<S: AsyncSequence & Sendable>: ResponseBodySource,
    @unchecked Sendable
where S.Element == Data {
    private var iterator: S.AsyncIterator

    init(_ chunks: S) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> Data? {
        try await iterator.next()
    }

    func cancel() {}

    var metrics: HTTPMetrics? { nil }
}
