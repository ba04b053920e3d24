// SPDX-License-Identifier: MIT

public import Foundation

/// What an exchange cost, known when its body has ended.
public struct HTTPMetrics: Sendable, Hashable {
    /// `HTTP/1.1` or `HTTP/2`; nil where the transport can't tell.
    public var httpVersion: String?
    /// Seconds from the start to the name resolved, the connection made, TLS agreed and the first byte
    /// of the answer; nil where it did not happen or is not known.
    public var nameLookup: TimeInterval?
    public var connect: TimeInterval?
    public var secureConnect: TimeInterval?
    public var firstByte: TimeInterval?
    /// Seconds from the start to the end of the body.
    public var total: TimeInterval = 0
    /// Bytes of the bodies on the wire, so before a content coding is undone.
    public var bodyBytesSent: Int64 = 0
    public var bodyBytesReceived: Int64 = 0
    /// Whether the request went over a connection that an earlier one had opened.
    public var reusedConnection = false
    /// How often the request was sent, 1 unless it was retried.
    public var attempts = 1

    public init() {}
}
