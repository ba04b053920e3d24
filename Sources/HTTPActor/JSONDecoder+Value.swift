// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

extension JSONDecoder {
    /// Makes a value of an answer's body: the text for `String`, the bytes for `Data`, else JSON.
    func value<T: Decodable>(of data: Data, in response: HTTPResponse) throws -> T {
        if !data.isEmpty, let data = data as? T { return data }
        if !data.isEmpty, "" is T {
            let text = try TextDecoding.decode(data, contentType: response.headers["Content-Type"])
            if let text = text as? T { return text }
        }
        return try decode(data, status: response.status, url: response.url)
    }
}
