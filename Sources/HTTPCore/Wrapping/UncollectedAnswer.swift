// SPDX-License-Identifier: MIT

internal import Foundation

/// What a layer does with an answer that it asked not to be collected, though the request did.
///
/// A layer that swallows answers can't let the terminal read them whole first: that may be 128 MiB.
extension HTTPResponse {
    /// Reads at most 64 KiB, so that the connection can be used again, and drops the rest.
    ///
    /// For a second at most: a server that drips would hold the call up for days otherwise.
    func drain(upTo limit: Int = 65_536, for seconds: Double = 1) async {
        guard body.whole == nil else { return }
        try? await TransferClock.run {
            _ = try await body.data(upTo: limit)
        } until: {
            try await TransferClock.sleep(seconds)
            return CancellationError()
        }
    }
}

extension HTTPRequest.Options {
    /// Asks for answers of these statuses as they come.
    mutating func leaveUncollected(_ statuses: Set<Int>) {
        // A set that is there costs nothing; a union is a new one.
        uncollected = uncollected.isEmpty ? statuses : uncollected.union(statuses)
    }
}
