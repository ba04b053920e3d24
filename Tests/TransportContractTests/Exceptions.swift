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
    case cutHead
    case trailers
    case cutGzip
    case backPressure
}

/// The one list of what a terminal can't do, and why.
///
/// Whatever fails safely is run by the tests of that behaviour, which report it as a known issue and fail
/// when it works: so no entry outlives its reason. What ends the process is run in one of its own by
/// `ExceptionTests`. Docs/Transports.md has the list for users.
struct Exceptions {
    enum Failure {
        case always
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

    static let all = [
        Exceptions(
            terminal: "URLSession", behaviour: .fieldOrderAndRepeats, failure: .always,
            reason: "HTTPURLResponse holds a dictionary, repeats joined by commas."),
        Exceptions(
            terminal: "URLSession", behaviour: .latin1Header, failure: .always,
            reason: "Foundation on Linux fails an answer with a byte that is no UTF-8."),
        Exceptions(
            terminal: "URLSession", behaviour: .statusLineWithoutSecondSpace, failure: .always,
            reason: "Foundation on Linux fails an answer without a space after the status."),
        Exceptions(
            terminal: "URLSession", behaviour: .ipv6Literal, failure: .always,
            reason: "Foundation on Linux refuses a URL with a literal IPv6 address."),
        Exceptions(
            terminal: "URLSession", behaviour: .dotSegments, failure: .always,
            reason: "Foundation on Linux resolves the segments . and .. of a path."),
        Exceptions(
            terminal: "URLSession", behaviour: .noLengthWithoutBody, failure: .always,
            reason: "Foundation on Linux says Content-Length: 0 for a DELETE or OPTIONS too."),
        Exceptions(
            terminal: "URLSession", behaviour: .chunkedUpload, failure: .always,
            reason: "A stream goes to a file first, so that URLSession can send it again."),
        Exceptions(
            terminal: "URLSession", behaviour: .shrinkingFile, failure: .always,
            reason: "Foundation on Linux waits for the rest of the file until time is up."),
        Exceptions(
            terminal: "URLSession", behaviour: .errorCodes, failure: .always,
            reason: "Foundation on Linux has other codes, or none, for what is no whole answer."),
        Exceptions(
            terminal: "URLSession", behaviour: .badLength, failure: .always,
            reason: "libcurl, inside Foundation, takes the first of several numbers."),
        Exceptions(
            terminal: "URLSession", behaviour: .cutHead, failure: .endsTheProcess,
            reason: "Foundation on Linux ends the process when an answer is cut in its head."),
        Exceptions(
            terminal: "URLSession", behaviour: .trailers, failure: .endsTheProcess,
            reason: "Foundation on Linux ends the process when fields follow a chunked body."),
        Exceptions(
            terminal: "URLSession", behaviour: .cutGzip, failure: .always,
            reason: "libcurl, inside Foundation, takes half a gzip for a whole one."),
        Exceptions(
            terminal: "URLSession", behaviour: .rawDeflateInPieces, failure: .always,
            reason: "libcurl, inside Foundation, wants the first bytes of raw deflate together."),
        Exceptions(
            terminal: "URLSession", behaviour: .lateExcessBytes, failure: .always,
            reason: "libcurl, inside Foundation, takes what comes meanwhile for the next answer."),
        Exceptions(
            terminal: "URLSession", behaviour: .emptyPostIsSentOnce, failure: .always,
            reason: "libcurl, inside Foundation, repeats it on a reused connection that drops."),
        Exceptions(
            terminal: "URLSession", behaviour: .backPressure, failure: .always,
            reason: "Foundation on Linux starts over when a task is suspended and resumed."),
    ]
}
