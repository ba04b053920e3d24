// SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension Exceptions {
    /// Written down from what is known of URLSession there; not run yet.
    static let all = [
        urlSession(.fieldOrderAndRepeats, "HTTPURLResponse holds a dictionary."),
        urlSession(.chunkedUpload, "A stream goes to a file first, so that it can be sent again."),
        urlSession(.cutGzip, "URLSession takes half a gzip for a whole one."),
    ]
}
#endif
