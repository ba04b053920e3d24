// SPDX-License-Identifier: MIT

internal import Foundation

/// Returns a sentence about an error that can be shown to a person.
///
/// The server's own words where it sent an RFC 9457 problem. Coding paths and excerpts are left out:
/// those are for a log.
public func userMessage(for error: any Error) -> String {
    switch error {
    case is CancellationError: return "The request was cancelled."
    case is DecodingError: return "The server's answer could not be read."
    case let error as URLError where error.userInfo[NSLocalizedDescriptionKey] == nil:
        return sentence(for: error.code)
    default:
        let text = error.localizedDescription
        // "The operation couldn't be completed. (", in the language of the device.
        let vague = NSError(domain: "", code: 0).localizedDescription.prefix { !"(（".contains($0) }
        return text.hasPrefix(vague) ? "Something went wrong." : text
    }
}

/// For errors that are not made by a transport of ours, which bring a sentence along.
private func sentence(for code: URLError.Code) -> String {
    switch code {
    case .notConnectedToInternet: "There is no internet connection."
    case .timedOut: "The server did not answer in time."
    case .cannotFindHost, .dnsLookupFailed: "The server could not be found."
    case .cannotConnectToHost: "The server could not be reached."
    case .networkConnectionLost: "The connection to the server was lost."
    case .cancelled: "The request was cancelled."
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        "A secure connection to the server could not be made."
    default: "The request failed."
    }
}
