// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import Testing

/// Uses each name that must not change, in the types it must have: that it compiles is the test.
struct ContractTests {
    private struct Model: Codable, Sendable {}

    @Test func theNamesOfEndpoints() async throws {
        let request = URLRequest(method: .get, url: URL(string: "https://host/path")!)
        let decoder = JSONDecoder()
        let validate: Endpoint<Model>.ValidateResponse = { (_: HTTPURLResponse) in }
        let decode: Endpoint<Model>.DecodeResponse = { (_: Data?, _: HTTPURLResponse) in Model() }
        _ = Endpoint<Model>(request: request, decodeResponse: decoder.decodeResponse)
        _ = Endpoint<Model>(request: request, validateResponse: validate, decodeResponse: decode)
        _ = Endpoint(request: request, decodeResponse: decode)
        let onMainActor: @Sendable (Data?, HTTPURLResponse, MainActor) throws -> Model = {
            _,
            _,
            _ in
            Model()
        }
        var endpoint = Endpoint(
            request: request,
            validateResponse: validate,
            decodeResponse: onMainActor
        )
        endpoint.request = request
        endpoint.validateResponse = EndpointExpectation.successStatusCode
        endpoint.validateResponse = EndpointExpectation.successStatusCode(response:)
        endpoint.decodeResponse = decoder.decodeResponse
        let text: any CustomStringConvertible & Sendable = endpoint
        #expect(text.description == "[GET https://host/path]")
        let nothing: Endpoint<Void>.DecodeResponse = EndpointExpectation.emptyResponse(_:_:)
        _ = Endpoint(request: request, decodeResponse: nothing)
        _ = Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse(_:_:))
        let load: (any HTTPTransport) async throws -> Model = { try await endpoint.load(on: $0) }
        let loadByDefault: () async throws -> Model = { try await endpoint.load() }
        _ = (load, loadByDefault)
        let task: URLSessionDataTask = URLSession.shared.dataTask(endpoint: endpoint) {
            (_: Result<Model, any Error>) in
        }
        task.cancel()
    }
}
