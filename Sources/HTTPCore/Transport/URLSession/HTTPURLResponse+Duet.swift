// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

extension HTTPResponse {
    /// The head as Foundation's type.
    ///
    /// Repeated fields are joined by `, `.
    ///
    /// - Throws: `URLError` of code `badServerResponse` if Foundation can't express the head.
    public var httpURLResponse: HTTPURLResponse {
        get throws {
            let named = headers.lazy.map { ($0.name.lowercased(), $0) }
            let once = Dictionary(named) { .init(name: $0.name, value: $0.value + ", " + $1.value) }
            let fields = Dictionary(uniqueKeysWithValues: once.values.map { ($0.name, $0.value) })
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: metrics?.httpVersion ?? "HTTP/1.1",
                headerFields: fields)
            guard let response else { throw URLError(.badServerResponse) }
            return response
        }
    }
}

extension HTTPFields {
    /// The fields of Foundation's type: each name once, in no order, so sorted by name.
    package init(of response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { HTTPField(name: "\($0)", value: "\($1)") }
        self.init(fields.sorted { $0.name < $1.name })
    }
}
