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
    }

    static func urlError(_ result: CURLcode, _ facts: Circumstances) -> URLError {
        let (code, sentence) = entry(result, facts.host, facts)
        return URLError(code, saying: sentence)
    }

    private static func entry(
        _ result: CURLcode, _ host: String, _ facts: Circumstances
    ) -> (URLError.Code, String) {
        switch result {
        // From TLS 1.3 on, the server says so after it has taken the connection.
        case _ where facts.detail.contains("alert certificate required"):
            (.clientCertificateRequired, "\(host) wants a client certificate, and got none.")
        case _
        where facts.detail.contains(" alert ")
            && ["certificate", "unknown ca"].contains(where: facts.detail.contains):
            (.clientCertificateRejected, "\(host) refused the client certificate.")
        case CURLE_COULDNT_RESOLVE_HOST: (.cannotFindHost, "The server \(host) could not be found.")
        case CURLE_COULDNT_RESOLVE_PROXY: (.cannotFindHost, "The proxy could not be found.")
        case CURLE_COULDNT_CONNECT: (.cannotConnectToHost, "\(host) could not be reached.")
        case CURLE_OPERATION_TIMEDOUT:
            (.timedOut, "No connection to \(host) could be made in time.")
        case CURLE_PARTIAL_FILE: (.networkConnectionLost, incomplete(facts))
        case CURLE_GOT_NOTHING:
            (.networkConnectionLost, "\(host) closed the connection without an answer.")
        case CURLE_RECV_ERROR where facts.detail.contains("CONNECT"):
            (.cannotConnectToHost, "The proxy made no way to \(host): \(facts.detail).")
        case CURLE_RECV_ERROR where ["chunk", "headers"].contains(where: facts.detail.contains):
            (.badServerResponse, "\(host) sent a malformed answer: \(facts.detail).")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_ABORTED_BY_CALLBACK:
            (.networkConnectionLost, "The connection to \(host) was lost.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY,
            CURLE_BAD_FUNCTION_ARGUMENT:
            (.badServerResponse, "\(host) sent no HTTP answer, or a field of over 100 KiB.")
        case CURLE_URL_MALFORMAT: (.badURL, "The URL is malformed.")
        case CURLE_BAD_CONTENT_ENCODING:
            (.cannotDecodeContentData, "The answer's content coding is cut or broken.")
        case CURLE_PEER_FAILED_VERIFICATION: certificate(facts)
        case CURLE_SSL_CONNECT_ERROR:
            (.secureConnectionFailed, "No secure connection to \(host) could be made.")
        case CURLE_SSL_CERTPROBLEM: (.clientCertificateRejected, identity(facts))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            (.serverCertificateUntrusted, "\(host) has another key than it was pinned to.")
        case CURLE_SSL_CACERT_BADFILE:
            (.secureConnectionFailed, "The certificates to trust could not be read.")
        default:
            (.unknown, "Sending to \(host) failed: " + String(cString: curl_easy_strerror(result)))
        }
    }

    private static func incomplete(_ facts: Circumstances) -> String {
        let all = facts.expected.map { " of \($0)" } ?? ""
        return "\(facts.host) closed the connection before the answer was complete: "
            + "\(facts.received)\(all) bytes came."
    }

    /// OpenSSL's words tell the reasons apart that libcurl has one code for.
    private static func certificate(_ facts: Circumstances) -> (URLError.Code, String) {
        let table: [(words: String, code: URLError.Code, reason: String)] = [
            // First, since these words of libcurl's are followed by the host.
            ("subject name", .serverCertificateUntrusted, "is not one for \(facts.host)"),
            ("expired", .serverCertificateHasBadDate, "has expired"),
            ("not yet valid", .serverCertificateNotYetValid, "is not valid yet"),
            ("local issuer", .serverCertificateHasUnknownRoot, "has an issuer that is not trusted"),
            ("self", .serverCertificateHasUnknownRoot, "has an issuer that is not trusted"),
        ]
        let entry =
            table.first { facts.detail.contains($0.words) }
            ?? ("", .serverCertificateUntrusted, "is not trusted (\(facts.detail))")
        return (entry.code, "The certificate of \(facts.host) \(entry.reason).")
    }

    private static func identity(_ facts: Circumstances) -> String {
        if facts.detail.contains("mac verify failure") {
            return "The password of the client certificate is wrong."
        }
        return facts.detail.contains("unsupported")
            ? "The client certificate is encrypted in an old way (RC2) that OpenSSL no longer reads: "
                + "export it again, with AES or 3DES."
            : "The client certificate is no readable PKCS#12 file."
    }
}
#endif
