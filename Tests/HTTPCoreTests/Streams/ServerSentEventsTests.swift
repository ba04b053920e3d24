// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import TestTransports
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ServerSentEventsTests {
    private typealias Answer = AnswersInTurn.Answer

    /// How often and how long somebody waited.
    private let waits = Locked<[TimeInterval]>([])

    /// A stream that ends, or breaks off.
    private static func events(
        _ text: String, type: String = "text/event-stream", isCut: Bool = false
    ) -> Answer {
        { request in
            let body = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data(text.utf8))
                continuation.finish(throwing: isCut ? URLError(.networkConnectionLost) : nil)
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": type], url: request.urlRequest.url!,
                body: ResponseBody(body))
        }
    }

    private static let refused: Answer = { _ in throw URLError(.cannotConnectToHost) }
    private static let end = AnswersInTurn.status(204)

    private func stream(
        _ answers: [Answer], reconnects: Int = 3
    ) throws -> (AnswersInTurn, ServerSentEvents) {
        let transport = AnswersInTurn(answers)
        let url = try #require(URL(string: "http://h/events"))
        let request = HTTPRequest(URLRequest(url: url))
        let events = transport.events(for: request, reconnects: reconnects) { seconds in
            waits.withLock { $0.append(seconds) }
            try Task.checkCancellation()
        }
        return (transport, events)
    }

    private func read(
        _ events: ServerSentEvents
    ) async -> (data: [String], error: (any Error)?) {
        var data: [String] = []
        do {
            for try await event in events { data.append(event.data) }
            return (data, nil)
        } catch {
            return (data, error)
        }
    }

    private func response(_ answer: Answer) async throws -> HTTPResponse {
        try await answer(HTTPRequest(URLRequest(url: try #require(URL(string: "http://h")))))
    }

    @Test func eventsOfOneAnswer() async throws {
        let response = try await response(
            Self.events("event: e\nid: 1\ndata: a\n\ndata: b\n\ndata: c"))
        var events = response.events.makeAsyncIterator()
        var event = try await events.next()
        #expect(event?.event == "e")
        #expect(event?.id == "1")
        #expect(event?.data == "a")
        event = try await events.next()
        #expect(event?.data == "b")
        #expect(try await events.next() == nil)
        #expect(try await events.next() == nil)
    }

    @Test func anAnswerThatBreaksOffIsNotAskedForAgain() async throws {
        let response = try await response(Self.events("data: a\n\n", isCut: true))
        let (data, error) = await read(response.events)
        #expect(data == ["a"])
        #expect((error as? URLError)?.code == .networkConnectionLost)
    }

    @Test(arguments: [
        "text/event-stream", "text/event-stream; charset=utf-8", "Text/Event-Stream;charset=UTF-8",
        "text/event-stream ; x=y",
    ])
    func theTypeMayHaveParameters(type: String) async throws {
        let response = try await response(Self.events("data: a\n\n", type: type))
        #expect(await read(response.events).data == ["a"])
    }

    @Test(arguments: [
        "", "text/html", "application/json; x=text/event-stream", "text/event-stream2",
    ])
    func anotherTypeIsAnErrorThatIsNotTriedAgain(type: String) async throws {
        let single = try await response(Self.events("data: a\n\n", type: type))
        #expect(
            (await read(single.events).error as? ResponseBodyError)?.kind == .unexpectedType(type))
        let (transport, events) = try stream([
            Self.events("data: a\n\n"), Self.events("data: b\n\n", type: type),
        ])
        let (data, error) = await read(events)
        #expect(data == ["a"])
        #expect((error as? ResponseBodyError)?.kind == .unexpectedType(type))
        #expect((error as? ResponseBodyError)?.url?.path == "/events")
        #expect(transport.requests.count == 2)
    }

    @Test func anEventThatIsTooLargeEndsThem() async throws {
        let text = "data: 12\ndata: 34\n\ndata: 12\ndata: 34\ndata: 56\n\n"
        let (data, error) = await read(try await response(Self.events(text)).events(upTo: 8))
        #expect(data == ["12\n34", "12\n34\n56"])
        #expect(error == nil)
        let smaller = await read(try await response(Self.events(text)).events(upTo: 7))
        #expect(smaller.data == [])
        #expect((smaller.error as? ResponseBodyError)?.kind == .partTooLarge(limit: 7))
        let long = try await response(Self.events("data:1\ndata:2\ndata:3\ndata:4\n\n"))
        let longError = await read(long.events(upTo: 6)).error as? ResponseBodyError
        #expect(longError?.kind == .partTooLarge(limit: 6))
        #expect(longError?.localizedDescription.contains("event of over 6 bytes") == true)
    }

    @Test func theDataIsReadAsJSON() async throws {
        struct Token: Decodable { let text: String }
        let response = try await response(
            Self.events("data: {\ndata: \"text\":\"hi\"}\n\ndata: [\n\n"))
        var events = response.events.makeAsyncIterator()
        let token: Token? = try await events.next()?.decoded()
        #expect(token?.text == "hi")
        let event = try #require(try await events.next())
        #expect(throws: DecodingError.self) { try event.decoded(as: Token.self) }
    }

    // MARK: Connecting again

    @Test func itGoesOnAfterTheLastWholeEvent() async throws {
        let (transport, events) = try stream([
            Self.events("retry: 10\nid: 1\ndata: a\n\nid: 2\ndata: b"),
            Self.events("data: c\n\nid: 4\ndata: d\n\nid: 5\n", isCut: true),
            Self.events("id\ndata: e\n\n"), Self.events("data: f\n\n"), Self.end,
        ])
        let (data, error) = await read(events)
        #expect(data == ["a", "c", "d", "e", "f"])
        #expect(error == nil)
        let sent = transport.requests.map(\.urlRequest)
        let ids = sent.map { $0.value(forHTTPHeaderField: "Last-Event-ID") }
        #expect(ids == [nil, "1", "4", nil, nil])
        #expect(
            sent.allSatisfy { $0.value(forHTTPHeaderField: "Accept") == "text/event-stream" })
        #expect(transport.requests.allSatisfy { $0.options.collect == nil })
        #expect(waits.withLock { $0 } == [0.01, 0.01, 0.01, 0.01])
    }

    @Test func waitsGrowWhileNoEventComes() async throws {
        let (transport, events) = try stream(
            [
                Self.events("data: a\n\n"), Self.refused, Self.events(": hello\n"), Self.refused,
                Self.events("retry: 100\ndata: b\n\n"), Self.refused, Self.end,
            ], reconnects: 4)
        #expect(await read(events).data == ["a", "b"])
        #expect(waits.withLock { $0 } == [3, 6, 12, 24, 0.1, 0.2])
        #expect(transport.requests.count == 7)
    }

    @Test func afterManyBreaksItGivesUp() async throws {
        let (refused, noServer) = try stream([Self.events("data: a\n\n"), Self.refused])
        let (data, error) = await read(noServer)
        #expect(data == ["a"])
        #expect((error as? URLError)?.code == .cannotConnectToHost)
        #expect(refused.requests.count == 4)
        // An answer that ends is no error.
        let (ended, nothing) = try stream([Self.events("data: a\n\n"), Self.events(":\n\n")])
        let end = await read(nothing)
        #expect(end.data == ["a"])
        #expect(end.error == nil)
        #expect(ended.requests.count == 4)
    }

    @Test func aFirstConnectionThatFailsIsAnErrorAtOnce() async throws {
        let (transport, events) = try stream([Self.refused, Self.events("data: a\n\n")])
        #expect((await read(events).error as? URLError)?.code == .cannotConnectToHost)
        #expect(transport.requests.count == 1)
        #expect(waits.withLock { $0 } == [])
    }

    @Test(arguments: [400, 401, 404, 500, 503])
    func aStatusThatIsAFailureEndsThem(status: Int) async throws {
        let (transport, events) = try stream([
            Self.events("data: a\n\n"), AnswersInTurn.status(status, body: "why"),
        ])
        let (data, error) = await read(events)
        #expect(data == ["a"])
        #expect((error as? HTTPStatusError)?.status == status)
        #expect((error as? HTTPStatusError)?.body == Data("why".utf8))
        #expect(transport.requests.count == 2)
    }

    @Test func afterTheEndNothingIsSent() async throws {
        let (transport, events) = try stream([Self.events("data: a\n\n"), Self.end])
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 2)
    }

    // O-42
    @Test func cancellingEndsTheWait() async throws {
        let transport = AnswersInTurn([Self.events("data: a\n\n")])
        let request = HTTPRequest(URLRequest(url: try #require(URL(string: "http://h"))))
        let (waiting, isWaiting) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            let events = transport.events(for: request) { _ in
                isWaiting.yield()
                try await Task.sleep(nanoseconds: 3_600_000_000_000)
            }
            return await read(events).error
        }
        for await _ in waiting { break }
        task.cancel()
        #expect(await task.value is CancellationError)
        #expect(transport.requests.count == 1)
    }

    @Test func eachPassIsAConnectionOfItsOwn() async throws {
        let (transport, events) = try stream([Self.events("data: a\n\n")], reconnects: 0)
        #expect(await read(events).data == ["a"])
        #expect(await read(events).data == ["a"])
        #expect(transport.requests.count == 2)
    }
}
