// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPCore

struct CurlErrorInternalTests {
    private func error(
        _ result: UInt32,
        _ facts: CurlError.Circumstances = .init(host: "h.example")
    ) -> URLError {
        /// A `CURLcode`, without an import of the C module.
        func code<Code: RawRepresentable<UInt32>>() -> Code { Code(rawValue: result)! }
        return CurlError.urlError(code(), facts)
    }

    /// libcurl's numbers, from curl.h, which never change.
    @Test(
        arguments: [
            (3, URLError.Code.badURL),  // URL_MALFORMAT
            (5, .cannotFindHost),  // COULDNT_RESOLVE_PROXY
            (6, .cannotFindHost),  // COULDNT_RESOLVE_HOST
            (7, .cannotConnectToHost),  // COULDNT_CONNECT
            (8, .badServerResponse),  // WEIRD_SERVER_REPLY
            (1, .badServerResponse),  // UNSUPPORTED_PROTOCOL: HTTP/0.9
            (16, .networkConnectionLost),  // HTTP2
            (18, .networkConnectionLost),  // PARTIAL_FILE: O-21, O-22
            (28, .timedOut),  // OPERATION_TIMEDOUT
            (35, .secureConnectionFailed),  // SSL_CONNECT_ERROR
            (43, .badServerResponse),  // BAD_FUNCTION_ARGUMENT: a line of the head that is no field
            (52, .networkConnectionLost),  // GOT_NOTHING: O-26
            (55, .networkConnectionLost),  // SEND_ERROR
            (56, .networkConnectionLost),  // RECV_ERROR
            (58, .clientCertificateRejected),  // SSL_CERTPROBLEM
            (60, .serverCertificateUntrusted),  // PEER_FAILED_VERIFICATION
            (61, .cannotDecodeContentData),  // BAD_CONTENT_ENCODING
            (65, .networkConnectionLost),  // SEND_FAIL_REWIND
            (77, .secureConnectionFailed),  // SSL_CACERT_BADFILE
            (92, .networkConnectionLost),  // HTTP2_STREAM
        ] as [(UInt32, URLError.Code)]
    )
    func eachResultHasTheCodeThatAReaderExpects(result: UInt32, code: URLError.Code) {
        let error = error(result)
        #expect(error.code == code)
        let sentence = error.localizedDescription
        #expect(sentence.hasSuffix("."))
        #expect(!sentence.contains("operation"))
        #expect(sentence == userMessage(for: error))
    }

    @Test(arguments: [6, 7, 18, 28, 35, 52, 56, 60] as [UInt32])
    func sentencesNameTheHost(result: UInt32) {
        #expect(error(result).localizedDescription.contains("h.example"))
    }

    @Test func whatHasNoRowSpeaksLibcurlsWords() {
        let error = error(78)
        #expect(error.code == .unknown)
        #expect(error.localizedDescription.contains("Remote file not found"))
    }

    // O-21
    @Test func aCutBodySaysHowMuchCame() {
        let known = error(18, .init(host: "h", received: 6, expected: "10"))
        #expect(known.localizedDescription.contains("6 of 10 bytes"))
        let chunked = error(18, .init(host: "h", received: 6))
        #expect(chunked.localizedDescription.contains("6 bytes"))
    }

    @Test(arguments: [
        ("certificate has expired", URLError.Code.serverCertificateHasBadDate),
        ("certificate is not yet valid", .serverCertificateNotYetValid),
        ("unable to get local issuer certificate", .serverCertificateHasUnknownRoot),
        ("self-signed certificate in certificate chain", .serverCertificateHasUnknownRoot),
        ("self signed certificate", .serverCertificateHasUnknownRoot),
        ("no alternative certificate subject name matches", .serverCertificateUntrusted),
        ("subject name does not match 'self-expired.example'", .serverCertificateUntrusted),
        ("unsuitable certificate purpose", .serverCertificateUntrusted),
        ("", .serverCertificateUntrusted),
    ])
    func openSSLsWordsTellCertificatesApart(detail: String, code: URLError.Code) {
        #expect(error(60, .init(host: "h", detail: detail)).code == code)
    }

    /// The words of OpenSSL 3, with the results that libcurl has them in for one version of TLS or another.
    @Test(
        arguments: [
            ("tlsv13 alert certificate required", URLError.Code.clientCertificateRequired),
            ("tlsv1 alert unknown ca", .clientCertificateRejected),
            ("sslv3 alert bad certificate", .clientCertificateRejected),
            ("sslv3 alert certificate expired", .clientCertificateRejected),
        ], [35, 55, 56, 98] as [UInt32])
    func aServerThatRefusesTheClientSaysSoByAnAlert(
        words: (detail: String, code: URLError.Code), result: UInt32
    ) {
        let detail = "error:0A000000:SSL routines::\(words.detail), errno 0"
        #expect(error(result, .init(host: "h", detail: detail)).code == words.code)
    }

    @Test func anotherAlertIsNotAboutTheClient() {
        let detail = "error:0A000410:SSL routines::sslv3 alert handshake failure"
        #expect(error(35, .init(host: "h", detail: detail)).code == .secureConnectionFailed)
    }

    @Test(arguments: [
        "CONNECT tunnel failed, response 407", "Received HTTP code 407 from proxy after CONNECT",
    ])
    func aTunnelThatIsRefusedIsNoLostConnection(detail: String) {
        let error = error(56, .init(host: "h.example", detail: detail))
        #expect(error.code == .cannotConnectToHost)
        #expect(
            error.localizedDescription == "The proxy made no way to h.example: \(detail).")
    }
}
#endif
