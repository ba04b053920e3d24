// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPCore

struct TLSFaultInternalTests {
    /// libcurl's numbers, from curl.h, and OpenSSL's words.
    @Test(
        arguments: [
            (TLSFault.identityHasAnotherPassword, UInt32(58), "mac verify failure"),
            (.identityIsNoPKCS12, 58, "could not open PKCS12 file"),
            (.rootsAreNoPEM, 77, ""),
            (.serverIsExpired, 60, "certificate has expired"),
            (.serverIsNotYetValid, 60, "certificate is not yet valid"),
            (.serverHasUnknownIssuer, 60, "unable to get local issuer certificate"),
            (.serverIsAnother, 60, "no alternative certificate subject name matches"),
            (.serverHasAnotherKey, 90, ""),
        ])
    func aFaultHasTheCodeAndTheWordsThatCurlTransportHasForIt(
        _ fault: TLSFault, _ result: UInt32, _ detail: String
    ) {
        /// A `CURLcode`, without an import of the C module.
        func code<Code: RawRepresentable<UInt32>>() -> Code { Code(rawValue: result)! }
        let facts = CurlError.Circumstances(host: "h.example", detail: detail)
        let expected = CurlError.urlError(code(), facts)
        let error = fault.urlError("h.example")
        #expect(error.code == expected.code)
        #expect(error.localizedDescription == expected.localizedDescription)
    }

    @Test func anEmptyCertificateIsTheSameFaultOnBothTransports() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:9/"))
        let error = await #expect(throws: URLError.self) {
            var request = HTTPRequest(URLRequest(url: url))
            request.options.identity = ClientIdentity(pkcs12: Data())
            _ = try await CurlTransport().send(request)
        }
        let expected = TLSFault.identityIsEmpty.urlError()
        #expect(error?.code == expected.code)
        #expect(error?.localizedDescription == expected.localizedDescription)
    }

    @Test(arguments: TLSFault.allCases)
    func eachFaultHasWordsOfItsOwnAndCameBeforeTheRequest(_ fault: TLSFault) {
        let error = fault.urlError("h.example")
        #expect(!error.requestMayHaveArrived)
        let same = TLSFault.allCases.filter {
            $0.urlError("h.example").localizedDescription == error.localizedDescription
        }
        #expect(same == [fault])
    }
}
#endif
