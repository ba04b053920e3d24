// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What Foundation takes to make an `HTTPURLResponse` of the eight fields of an nginx's answer.
enum ResponseHead {
    static func run(_ count: Int) {
        guard let url = URL(string: "http://127.0.0.1/small") else { return }
        let fields = [
            "Server": "nginx/1.22.1", "Date": "Mon, 30 Nov 2026 12:00:00 GMT",
            "Content-Type": "text/plain", "Content-Length": "64",
            "Last-Modified": "Mon, 30 Nov 2026 11:00:00 GMT", "Connection": "keep-alive",
            "ETag": "\"674af0a0-40\"", "Accept-Ranges": "bytes",
        ]
        let watch = Stopwatch()
        for _ in 0..<count {
            _ = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        }
        watch.report()
    }
}
