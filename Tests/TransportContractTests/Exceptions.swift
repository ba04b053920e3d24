// SPDX-License-Identifier: MIT

/// What a terminal may be unable to do, each kept in tests by that name.
enum Behaviour: String, CaseIterable, Codable, Sendable {
    case fieldOrderAndRepeats
    case latin1Header
    case statusLineWithoutSecondSpace
    case ipv6Literal
    case dotSegments
    case noLengthWithoutBody
    case chunkedUpload
    case shrinkingFile
    case errorCodes
    case badLength
    case lateExcessBytes
    case rawDeflateInPieces
    case emptyPostIsSentOnce
    case postOnAClosingConnection
    case looseHead
    case basicChallenge
    case cutHead
    case trailers
    case cutGzip
    case redirectIsDropped
    case redirectWithoutLocation
    case backPressure
    case connectionMetrics
}

/// The one list of what a terminal can't do, and why.
///
/// Whatever fails safely is run by the tests of that behaviour, which report it as a known issue and fail
/// when it works: so no entry outlives its reason. What ends the process is run in one of its own by
/// `ExceptionTests`. Docs/Transports.md has the list for users. The rows are in `Exceptions+Linux` and
/// `Exceptions+Apple`.
struct Exceptions {
    enum Failure {
        case always
        /// A race, which the test may win.
        case sometimes
        case endsTheProcess
    }

    let terminal: String
    let behaviour: Behaviour
    let failure: Failure
    let reason: String

    static func entry(_ terminal: Terminal, _ behaviour: Behaviour) -> Exceptions? {
        all.first { $0.terminal == terminal.name && $0.behaviour == behaviour }
    }

    /// A row about URLSession, the one terminal that has any.
    static func urlSession(
        _ behaviour: Behaviour, _ reason: String, _ failure: Failure = .always
    ) -> Exceptions {
        Exceptions(
            terminal: "URLSession", behaviour: behaviour, failure: failure, reason: reason)
    }
}
