// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// libcurl's result codes as the `URLError` codes that a reader expects, with a sentence each.
enum CurlError {
    /// What a sentence and a code are made from.
    struct Circumstances {
        var host = ""
        /// Body bytes that came, and how many the head promised.
        var received: Int64 = 0
        var expected: String?
        /// libcurl's and OpenSSL's own words.
        var detail = ""
        var requestMayHaveArrived = false
    }

    static func urlError(_ result: CURLcode, _ facts: Circumstances) -> URLError {
        let (code, sentence) = entry(result, facts)
        return URLError(
            code, saying: sentence, requestMayHaveArrived: facts.requestMayHaveArrived)
    }

    private static func entry(
        _ result: CURLcode, _ facts: Circumstances
    ) -> (URLError.Code, String) {
        let host = facts.host
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            return (.cannotFindHost, "The server \(host) could not be found.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return (.cannotFindHost, "The proxy could not be found.")
        case CURLE_COULDNT_CONNECT:
            return (.cannotConnectToHost, "No connection to \(host) could be made.")
        case CURLE_OPERATION_TIMEDOUT:
            return (.timedOut, "No connection to \(host) could be made in time.")
        case CURLE_PARTIAL_FILE:
            return (.networkConnectionLost, incomplete(facts))
        case CURLE_GOT_NOTHING:
            return (.networkConnectionLost, "\(host) closed the connection without an answer.")
        case CURLE_RECV_ERROR where facts.detail.contains("chunk"):
            return (.badServerResponse, "\(host) sent a chunked body that is malformed.")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return (.networkConnectionLost, "The connection to \(host) was lost.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
            CURLE_OUT_OF_MEMORY:
            return (.badServerResponse, "\(host) sent something that is no HTTP answer.")
        case CURLE_URL_MALFORMAT:
            return (.badURL, "The URL is malformed.")
        case CURLE_BAD_CONTENT_ENCODING:
            return (.cannotDecodeContentData, "The answer's content coding is broken.")
        case CURLE_PEER_FAILED_VERIFICATION:
            return certificate(facts)
        case CURLE_SSL_CONNECT_ERROR:
            return (.secureConnectionFailed, "No secure connection to \(host) could be made.")
        case CURLE_SSL_CERTPROBLEM:
            return (.clientCertificateRejected, identity(facts))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return (
                .serverCertificateUntrusted, "\(host) has another public key than it was pinned to."
            )
        case CURLE_SSL_CACERT_BADFILE:
            return (.secureConnectionFailed, "The system's certificates could not be read.")
        default:
            return (.unknown, "The request to \(host) failed: \(words(result)).")
        }
    }

    private static func incomplete(_ facts: Circumstances) -> String {
        let all = facts.expected.map { " of \($0)" } ?? ""
        return "\(facts.host) closed the connection before the answer was complete: "
            + "\(facts.received)\(all) bytes came."
    }

    /// OpenSSL's words tell the reasons apart that libcurl has one code for.
    private static func certificate(_ facts: Circumstances) -> (URLError.Code, String) {
        let host = facts.host
        if facts.detail.contains("expired") {
            return (.serverCertificateHasBadDate, "The certificate of \(host) has expired.")
        }
        if facts.detail.contains("not yet valid") {
            return (.serverCertificateNotYetValid, "The certificate of \(host) is not valid yet.")
        }
        if facts.detail.contains("unable to get local issuer")
            || facts.detail.contains("self-signed") || facts.detail.contains("self signed")
        {
            return (
                .serverCertificateHasUnknownRoot,
                "The certificate of \(host) was issued by somebody this system does not trust."
            )
        }
        return (.serverCertificateUntrusted, "The certificate of \(host) is not one for \(host).")
    }

    /// libcurl has one code for all trouble with a client certificate.
    private static func identity(_ facts: Circumstances) -> String {
        if facts.detail.contains("mac verify failure") {
            return "The password of the client certificate is wrong."
        }
        if facts.detail.contains("unsupported") {
            return
                "The client certificate is encrypted in an old way (RC2) that OpenSSL no longer reads: "
                + "export it again, with AES or 3DES."
        }
        return "The client certificate is no PKCS#12 file."
    }

    private static func words(_ result: CURLcode) -> String {
        curl_easy_strerror(result).map { String(cString: $0) } ?? "code \(result.rawValue)"
    }
}
#endif
