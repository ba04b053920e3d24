// SPDX-License-Identifier: MIT

public import Foundation

/// What an exchange cost, known when its body has ended.
public struct HTTPMetrics: Sendable, Hashable {
    /// `HTTP/1.1` or `HTTP/2`; nil where the transport can't tell.
    public var httpVersion: String?
    /// Seconds from the start to the name resolved; nil where it was not, or is not known.
    public var nameLookup: TimeInterval?
    /// Seconds from the start to the connection made; nil where none was, or it is not known.
    public var connect: TimeInterval?
    /// Seconds from the start to TLS agreed; nil where it was not, or is not known.
    public var secureConnect: TimeInterval?
    /// Seconds from the start to the first byte of the answer; nil where it is not known.
    public var firstByte: TimeInterval?
    /// Seconds from the start to the end of the body.
    public var total: TimeInterval = 0
    /// Bytes of the request's body on the wire.
    public var bodyBytesSent: Int64 = 0
    /// Bytes of the answer's body on the wire, so before a content coding is undone.
    public var bodyBytesReceived: Int64 = 0
    /// Whether the request went over a connection that an earlier one had opened.
    public var reusedConnection = false
    /// How often the request was sent, 1 unless it was retried; past a redirect, how often the last one was.
    public var attempts = 1
    /// Seconds that were waited between those attempts, which no other time here includes.
    public var waited: TimeInterval = 0

    /// Creates metrics that say nothing yet, for a transport of your own.
    public init() {}
}
