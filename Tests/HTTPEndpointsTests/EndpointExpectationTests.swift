// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import Testing

struct EndpointExpectationTests {
    private func response(_ status: Int) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://host/path?q=1"))
        return try #require(
            HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: ["X-A": "1"]
            )
        )
    }

    @Test(arguments: [200, 201, 204, 299])
    func a2xxIsSuccess(status: Int) throws {
        try EndpointExpectation.successStatusCode(response: response(status))
    }

    @Test(arguments: [101, 199, 300, 304, 400, 404, 500, 599])
    func anyOtherStatusIsAnErrorThatHoldsTheHead(status: Int) throws {
        let response = try response(status)
        let error = #expect(throws: HTTPStatusError.self) {
            try EndpointExpectation.successStatusCode(response: response)
        }
        #expect(error?.status == status)
        #expect(error?.headers["x-a"] == "1")
        #expect(error?.url == response.url)
    }

    @Test func anEmptyResponseHasNoByte() throws {
        try EndpointExpectation.emptyResponse(nil, response(200))
        try EndpointExpectation.emptyResponse(Data(), response(200))
        let response = try response(200)
        let error = #expect(throws: ResponseBodyError.self) {
            try EndpointExpectation.emptyResponse(Data([1, 2, 3]), response)
        }
        #expect(error?.kind == .notEmpty(count: 3))
        #expect(error?.status == 200)
    }

    @Test func anIgnoredResponseMayHoldAnything() throws {
        try EndpointExpectation.ignoreResponse(nil, response(200))
        try EndpointExpectation.ignoreResponse(Data([1, 2, 3]), response(204))
    }
}
