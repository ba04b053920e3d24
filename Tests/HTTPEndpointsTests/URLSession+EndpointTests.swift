// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import TestSupport
import TestTransports
import Testing

@Suite(.timeLimit(.minutes(5)))
struct URLSessionEndpointTests {
    private let session = URLSession(configuration: .ephemeral)

    /// Loads an endpoint to its result; a second call would end the process.
    private func result<T>(
        of endpoint: Endpoint<T>,
        _ start: (URLSessionDataTask) -> Void = { $0.resume() }
    ) async -> Result<T, any Error> where T: Sendable {
        await withCheckedContinuation { continuation in
            start(session.dataTask(endpoint: endpoint) { continuation.resume(returning: $0) })
        }
    }

    @Test func theTaskIsSuspendedUntilItIsResumed() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let done = Gate()
        let task = session.dataTask(endpoint: endpoint) { _ in done.open() }
        #expect(task.state == .suspended)
        // A load of our own that is answered meanwhile: the session had all the time.
        _ = try await endpoint.load(on: standardStack())
        #expect(server.requests.count == 1)
        #expect(!done.isOpen)
        task.resume()
        await done.wait()
        #expect(server.requests.count == 2)
    }

    @Test func aValueIsLoaded() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"title":"one"}"#)])
        let result = await result(of: Endpoint<Todo>.json(server.url("/")))
        #expect(try result.get() == Todo(id: 1, title: "one"))
    }

    @Test func aStatusErrorHoldsTheBodyAndIsAnNSError() async throws {
        let server = try LoopbackServer(script: [.json(#"{"a":1}"#, status: 404)])
        let result = await result(of: Endpoint<Todo>.json(server.url("/")))
        let error = try #require(throws: HTTPStatusError.self) { try result.get() }
        #expect(error.code == 404)
        #expect(error.body == Data(#"{"a":1}"#.utf8))
        #expect(error.localizedFailureReason == "{\n  \"a\" : 1\n}")
    }

    /// What a scheme of the app's own may give.
    @Test func anAnswerThatIsNotHTTPIsAnError() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [NoHTTP.self]
        let session = URLSession(configuration: configuration)
        let url = try #require(URL(string: "nohttp://host/"))
        let result: Result<Todo, any Error> = await withCheckedContinuation { continuation in
            session.dataTask(endpoint: .json(url)) { continuation.resume(returning: $0) }.resume()
        }
        let error = try #require(throws: URLError.self) { try result.get() }
        #expect(error.code == .badServerResponse)
    }

    private final class NoHTTP: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            request.url?.scheme == "nohttp"
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url else { return }
            let response = URLResponse(
                url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    @Test func aMalformedBodyIsDiagnosedAndMasked() async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":"x","password":"s3cret"}"#)])
        let result = await result(of: Endpoint<Todo>.json(server.url("/")))
        let error = try #require(throws: DecodingError.self) { try result.get() }
        #expect("\(error)".contains("At id: Expected to decode Int but found a string instead."))
        #expect(!"\(error)".contains("s3cret"))
    }

    @Test func aCancelledTaskEndsInAURLErrorThatSaysSo() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in LoopbackServer.Answer([.wait(gate), .close]) }
        let endpoint = Endpoint<Todo>.json(server.url("/"))
        let cancelled = Locked<URLSessionDataTask?>(nil)
        async let loaded = result(of: endpoint) { task in
            cancelled.withLock { $0 = task }
            task.resume()
        }
        #expect(await server.waitForRequests(1))
        cancelled.withLock { $0?.cancel() }
        let result = await loaded
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .cancelled)
    }

    @Test func aTaskThatIsCancelledBeforeItStartsEndsSoToo() async throws {
        let server = try LoopbackServer(script: [.json("{}")])
        let result = await result(of: Endpoint<Todo>.json(server.url("/"))) { task in
            task.cancel()
            task.resume()
        }
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .cancelled)
        #expect(server.requests.count == 0)
    }

    @Test(arguments: ["nothing://host/", "http://127.0.0.1:1/"])
    func aRequestThatReachesNobodyIsAFailure(url: String) async throws {
        let result = await result(of: Endpoint<Todo>.json(try #require(URL(string: url))))
        #expect(throws: URLError.self) { try result.get() }
    }

    // Foundation on Linux puts them on the wire as they are.
    @Test(arguments: [
        ("GET", "X-A", "1\r\nX-Evil: 1", InvalidRequest.Kind.headerValue),
        ("GET", "X-A: 1\r\nX-Evil", "1", .headerName),
        ("GET / HTTP/1.1\r\nX-Evil: 1\r\nX-A:", "X-A", "1", .method),
    ])
    func aLineThatWasInjectedIsNotSent(
        method: String, name: String, value: String, kind: InvalidRequest.Kind
    ) async throws {
        let server = try LoopbackServer(script: [.text("1")])
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = method
        request.allHTTPHeaderFields = [name: value]
        let result = await result(of: Endpoint<Void>(request: request) { _, _ in })
        let error = #expect(throws: InvalidRequest.self) { try result.get() }
        #expect(error?.kind == kind)
        #expect(server.requests.isEmpty)
    }

    // O-28
    @Test(arguments: [0, 1, 2])
    func anEmptyBodyIsAValueWhereTheTypeHasOne(index: Int) async throws {
        let server = try LoopbackServer(script: [EndpointLoadTests.empty[index]])
        let url = server.url("/")
        let none = await result(of: Endpoint<Todo?>.json(url))
        #expect(try none.get() == nil)
        let text = await result(of: Endpoint<String>.json(url))
        #expect(try text.get() == "")
        let void = await result(
            of: Endpoint<Void>.get(url, decode: EndpointExpectation.emptyResponse)
        )
        try void.get()
        let todo = await result(of: Endpoint<Todo>.json(url))
        #expect(throws: ResponseBodyError.self) { try todo.get() }
    }

    @Test func decodingRunsOffTheMainActor() async throws {
        let server = try LoopbackServer(script: [.text("x")])
        let endpoint = Endpoint<Bool>.get(server.url("/")) { _, _ in MainQueueMark.isHere }
        #expect(try await result(of: endpoint).get() == false)
    }

    @Test func aMainActorModelIsDecodedOnTheMainActor() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let endpoint = await EndpointLoadTests.mainActorEndpoint(server.url("/"))
        let todo = try await result(of: endpoint).get()
        #expect(todo.wasDecodedOnMainQueue)
    }

    // The main queue waits for nobody: it is the session's own delegate queue here.
    @Test func aMainActorModelIsDecodedAlsoWhereTheSessionCallsBackOnTheMainQueue() async throws {
        let server = try LoopbackServer(script: [.json(#"{"title":"one"}"#)])
        let endpoint = await EndpointLoadTests.mainActorEndpoint(server.url("/"))
        let session = URLSession(
            configuration: .ephemeral,
            delegate: nil,
            delegateQueue: .main
        )
        let todo = await withCheckedContinuation { continuation in
            session.dataTask(endpoint: endpoint) { continuation.resume(returning: try? $0.get()) }
                .resume()
        }
        #expect(todo?.wasDecodedOnMainQueue == true)
        session.finishTasksAndInvalidate()
    }
}
