// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import Testing

/// `API(testConfiguration:)`, for an app's tests: a stub answers, in one chunk, and sees what was sent.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TestConfigurationTests {
    private let api: API

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        api = API(testConfiguration: configuration)
        StubProtocol.seen.withLock { $0 = [] }
    }

    @Test func theStubAnswers() async throws {
        let user: User = try await api.request(
            url: "https://stub.invalid/users/{id}",
            method: .get,
            pathParams: ["id": "7"],
            debug: false
        )
        #expect(user == User(id: 7, name: "stub"))
        let seen = StubProtocol.seen.withLock { $0 }
        #expect(seen.map(\.url) == ["https://stub.invalid/users/7"])
        #expect(seen.map(\.method) == ["GET"])
    }

    @Test func theStubSeesTheBodyAndItsType() async throws {
        let _: User = try await api.request(
            url: "https://stub.invalid/users/1",
            method: .post,
            body: jsonBody(["name": "Ann"]),
            debug: false
        )
        let seen = StubProtocol.seen.withLock { $0 }
        #expect(seen.map(\.method) == ["POST"])
        #expect(seen.map(\.body) == [#"{"name":"Ann"}"#])
        #expect(seen.map(\.type) == ["application/json; charset=UTF-8"])
    }

    @Test func aStatusErrorHoldsTheStubsBody() async throws {
        let error = await #expect(throws: HTTPStatusError.self) {
            let _: User = try await api.request(
                url: "https://stub.invalid/missing",
                method: .get,
                debug: false
            )
        }
        #expect(error?.code == 404)
        #expect(error?.localizedFailureReason == "no such thing")
    }

    @Test func anErrorOfTheStubsIsTheCalls() async throws {
        let error = await #expect(throws: URLError.self) {
            let _: User = try await api.request(
                url: "https://stub.invalid/offline",
                method: .get,
                debug: false
            )
        }
        #expect(error?.code == .notConnectedToInternet)
    }

    @Test func aHundredCallsAtOnceAreAnswered() async throws {
        try await withThrowingTaskGroup { group in
            for id in 0..<100 {
                group.addTask {
                    let user: User = try await api.request(
                        url: "https://stub.invalid/users/\(id)",
                        method: .get,
                        debug: false
                    )
                    #expect(user.id == id)
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Answers without a network and keeps what it was asked.
final class StubProtocol: URLProtocol {
    struct Seen: Sendable {
        let method, url, body, type: String?
    }

    static let seen = Locked<[Seen]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let url = request.url!
        Self.seen.withLock {
            $0.append(
                Seen(
                    method: request.httpMethod,
                    url: url.absoluteString,
                    body: bodyText,
                    type: request.value(forHTTPHeaderField: "Content-Type")
                )
            )
        }
        guard url.lastPathComponent != "offline" else {
            client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
            return
        }
        let isMissing = url.lastPathComponent == "missing"
        let text = isMissing ? "no such thing" : #"{"id":\#(url.lastPathComponent),"name":"stub"}"#
        let response = HTTPURLResponse(
            url: url,
            statusCode: isMissing ? 404 : 200,
            httpVersion: "HTTP/1.1",
            headerFields: nil
        )!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(text.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}

    /// On Apple's platforms the body of a task comes as a stream.
    private var bodyText: String? {
        if let data = request.httpBody { return String(decoding: data, as: UTF8.self) }
        guard let stream = request.httpBodyStream else { return nil }
        stream.open()
        defer { stream.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
            data.append(contentsOf: buffer[..<count])
        }
        return String(decoding: data, as: UTF8.self)
    }
}
