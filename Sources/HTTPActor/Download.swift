// SPDX-License-Identifier: MIT

internal import Foundation
internal import HTTPCore

/// One download: from the request to the file in its place.
struct Download {
    /// Its base gives answers of any status, which this judges.
    let transport: CheckingTransport
    let request: HTTPRequest
    let destination: URL
    /// Whether to keep what comes, and to go on from what was kept.
    let resumes: Bool
    let onProgress: (@Sendable (API.DownloadProgress) -> Void)?

    func run() async throws -> HTTPResponse {
        let givenRange = request.urlRequest.value(forHTTPHeaderField: "Range")
        // Only a GET has ranges (RFC 9110, section 14.2), and a caller's own is the whole of it.
        let isKept = resumes && request.urlRequest.httpMethod == "GET" && givenRange == nil
        // Before anything is sent: a folder that can't be written to costs no request.
        let file = try PartialFile(of: destination, isKept: isKept)
        if file.record?.url != request.urlRequest.url?.absoluteString {
            try file.startOver(keptAs: nil)
        }
        while true {
            let response = try await transport.base.send(asking(forTheRestOf: file))
            let step = DownloadStep(
                response, size: file.size, record: file.record, isOfRange: givenRange != nil)
            var (end, total) = (Int64?.none, response.length)
            switch step {
            case .isWhole:
                try file.moveIntoPlace()
                return response
            case .askAgain:
                try file.startOver(keptAs: nil)
                continue
            case .append(let range):
                (end, total) = (range.last + 1, range.total ?? file.record?.total)
            case .startOver:
                let record = isKept ? PartRecord(of: response, request: request) : nil
                try file.startOver(keptAs: record)
            case .fail:
                return try await transport.checked(response)
            case .refuse:
                throw fault("a part of the file that it was not asked for")
            }
            for try await chunk in response.body {
                try file.write(chunk)
                onProgress?(
                    API.DownloadProgress(bytesReceived: file.size, bytesInAll: total))
            }
            if let end, file.size != end {
                try file.startOver(keptAs: nil)
                throw fault("another part of the file than it said")
            }
            // A server may send less than the rest.
            if end != nil, let total, file.size < total { continue }
            try file.moveIntoPlace()
            return response
        }
    }

    private func fault(_ sent: String) -> URLError {
        URLError(
            .badServerResponse, saying: "The server sent \(sent).", requestMayHaveArrived: true)
    }

    private func asking(forTheRestOf file: PartialFile) -> HTTPRequest {
        guard let record = file.record, file.size > 0 else { return request }
        var request = request
        request.urlRequest.setValue("bytes=\(file.size)-", forHTTPHeaderField: "Range")
        request.urlRequest.setValue(record.validator, forHTTPHeaderField: "If-Range")
        return request
    }
}

/// What an answer means for the bytes that are there already: a pure value.
enum DownloadStep: Equatable {
    /// The body is the file, from its first byte.
    case startOver
    /// The body follows what is there.
    case append(ContentRange)
    /// All of it is there already.
    case isWhole
    /// What is there is of no use: ask for all of it.
    case askAgain
    /// The status is a failure.
    case fail
    /// A part came, though no range was asked for.
    case refuse

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - response: What came.
    ///   - size: How many bytes are there.
    ///   - record: What they are a part of.
    ///   - isOfRange: Whether the caller asked for a range by itself.
    init(_ response: HTTPResponse, size: Int64, record: PartRecord?, isOfRange: Bool) {
        let asked = size > 0 ? record : nil
        let range = ContentRange(response.headers["Content-Range"] ?? "")
        switch (response.status, asked) {
        case (206, let record?):
            if let range, range.first == size, record.matches(response, total: range.total) {
                self = .append(range)
            } else {
                self = .askAgain
            }
        case (206, nil):
            self = isOfRange ? .startOver : .refuse
        case (416, let record?):
            let total = ContentRange.unsatisfied(response.headers["Content-Range"] ?? "")
            let isWhole = total == size && record.matches(response, total: total)
            self = isWhole ? .isWhole : .askAgain
        case (200..<300, _):
            self = .startOver
        default:
            self = .fail
        }
    }
}
