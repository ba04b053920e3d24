// SPDX-License-Identifier: MIT

#if os(Linux)
extension Exceptions {
    static let all = [
        urlSession(
            .fieldOrderAndRepeats, "HTTPURLResponse holds a dictionary, repeats joined by commas."),
        urlSession(
            .latin1Header, "Foundation on Linux fails an answer with a byte that is no UTF-8."),
        urlSession(
            .statusLineWithoutSecondSpace,
            "Foundation on Linux fails an answer without a space after the status."),
        urlSession(
            .looseHead, "Foundation on Linux wants CRLF, and a space after each colon."),
        urlSession(
            .basicChallenge, "Foundation on Linux waits for ever for a credential nobody gives."),
        urlSession(
            .ipv6Literal, "Foundation on Linux refuses a URL with a literal IPv6 address."),
        urlSession(
            .dotSegments, "Foundation on Linux resolves the segments . and .. of a path."),
        urlSession(
            .noLengthWithoutBody,
            "Foundation on Linux says Content-Length: 0 for a DELETE or OPTIONS too."),
        urlSession(
            .chunkedUpload, "A stream is in memory first, so that URLSession can send it again."),
        urlSession(
            .shrinkingFile, "A file is in memory before it is sent, and arrives as it was."),
        urlSession(
            .errorCodes,
            "Foundation on Linux has other codes, or none, for what is no whole answer."),
        urlSession(
            .badLength, "libcurl, inside Foundation, takes the first of several numbers."),
        urlSession(
            .cutHead, "Foundation on Linux ends the process when an answer is cut in its head.",
            .endsTheProcess),
        urlSession(
            .trailers, "Foundation on Linux ends the process when fields follow a chunked body.",
            .endsTheProcess),
        urlSession(
            .cutGzip, "libcurl, inside Foundation, takes half a gzip for a whole one."),
        urlSession(
            .redirectIsDropped,
            "Foundation on Linux reads the body of a redirect to its end before it tells of it."),
        urlSession(
            .redirectWithoutLocation, "Foundation on Linux fails a redirect that leads nowhere."),
        urlSession(
            .rawDeflateInPieces,
            "libcurl, inside Foundation, wants the first bytes of raw deflate together."),
        urlSession(
            .lateExcessBytes,
            "libcurl, inside Foundation, takes what comes meanwhile for the next answer."),
        urlSession(
            .emptyPostIsSentOnce,
            "libcurl, inside Foundation, repeats it on a reused connection that drops."),
        urlSession(
            .postOnAClosingConnection,
            "Foundation on Linux waits until time is up when the server closes meanwhile.",
            .sometimes),
        urlSession(
            .connectionMetrics,
            "Foundation on Linux doesn't tell how long a look-up, a connection or TLS took."),
        urlSession(
            .backPressure, "Foundation on Linux starts over when a task is suspended and resumed."),
    ]
}
#endif
