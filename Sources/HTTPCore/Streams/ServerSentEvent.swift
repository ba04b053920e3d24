// SPDX-License-Identifier: MIT

public import Foundation

/// One event of a stream of type `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event the server says it is; `message` where it does not say.
    public let event: String
    /// The text: the event's lines of data, joined by LF.
    public let data: String
    /// The last identifier that the server has named so far, empty when there is none.
    public let id: String

    /// Reads the data as JSON.
    ///
    /// - Throws: `DecodingError` that says where; ``ResponseBodyError`` of kind `empty`.
    public func decoded<T: Decodable>(
        as type: T.Type = T.self, decoder: JSONDecoder = .httpDefault
    ) throws -> T {
        try decoder.decode(Data(data.utf8), status: nil, url: nil)
    }
}
