// SPDX-License-Identifier: MIT

internal import Foundation

/// Returns a sentence about an error that can be shown to a person.
///
/// The server's own words where it sent an RFC 9457 problem. Coding paths and excerpts are left out:
/// those are for a log.
public func userMessage(for error: any Error) -> String {
    switch error {
    case is CancellationError:
        return "The request was cancelled."
    case is DecodingError:
        return "The server's answer could not be read."
    case let error as URLError where error.userInfo[NSLocalizedDescriptionKey] == nil:
        return sentences[error.code] ?? "The request failed."
    default:
        let text = error.localizedDescription
        return text.hasPrefix("The operation could") ? "Something went wrong." : text
    }
}

/// For errors that are not made by a transport of ours, which bring a sentence along.
private let sentences: [URLError.Code: String] = [
    .notConnectedToInternet: "There is no internet connection.",
    .timedOut: "The server did not answer in time.",
    .cannotFindHost: "The server could not be found.",
    .cannotConnectToHost: "The server could not be reached.",
    .networkConnectionLost: "The connection to the server was lost.",
    .cancelled: "The request was cancelled.",
    .secureConnectionFailed: "A secure connection to the server could not be made.",
]
