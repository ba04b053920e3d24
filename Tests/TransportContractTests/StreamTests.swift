// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lines, values and events of a body, over each transport.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    private typealias Answer = LoopbackServer.Answer
    private typealias Step = LoopbackServer.Step

    private static func head(_ type: String) -> Step {
        .text("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    private static func chunk(_ bytes: Data) -> Step {
        .send(Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8))
    }

    private static func chunk(_ text: String) -> Step { chunk(Data(text.utf8)) }

    private static let end = Step.text("0\r\n\r\n")

    /// Each line is read before the server sends more.
    @Test(arguments: Subject.all)
    func aLineIsThereWithItsEnd(_ subject: Subject) async throws {
        let gates = (0..<4).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            Answer([
                Self.head("text/plain"), Self.chunk("one\r"), .wait(gates[0]),
                Self.chunk("\ntwo\nth"), .wait(gates[1]), Self.chunk(Data([0xE2, 0x82])),
                Self.chunk(Data([0xAC, 0x0D, 0x0A])), .wait(gates[2]), Self.chunk("\n"),
                .wait(gates[3]), Self.chunk("last"), Self.end,
            ])
        }
        let response = try await subject.transport().send(.get(server.url("/")))
        var lines: [String] = []
        for try await line in response.lines {
            lines.append(line)
            // The first line, the second, …
            if lines.count <= gates.count { gates[lines.count - 1].open() }
        }
        #expect(lines == ["one", "two", "th€", "", "last"])
    }

    @Test(arguments: Subject.all)
    func aLineIsAValue(_ subject: Subject) async throws {
        struct Item: Decodable, Equatable { let k: Int }
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Answer([
                Self.head("application/x-ndjson"), Self.chunk("{\"k\":1}\n{\"k\""), .wait(gate),
                Self.chunk(":2}\n"), Self.end,
            ])
        }
        let response = try await subject.transport().send(.get(server.url("/")))
        var items: [Item] = []
        for try await item in response.jsonLines(of: Item.self) {
            items.append(item)
            gate.open()
        }
        #expect(items == [Item(k: 1), Item(k: 2)])
    }

    @Test(arguments: Subject.all)
    func anEventIsThereWithItsEnd(_ subject: Subject) async throws {
        let gates = (0..<3).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            Answer([
                Self.head("text/event-stream;charset=utf-8"),
                Self.chunk("\u{FEFF}: hi\n\ndata: a\r"),
                Self.chunk("\n\r"), .wait(gates[0]), Self.chunk("\nevent: e\nid: 1\ndata: b\n\n"),
                .wait(gates[1]), Self.chunk("data: c\ndata: d\n\nda"), .wait(gates[2]),
                Self.chunk("ta: e\n"), Self.end,
            ])
        }
        let response = try await subject.transport().send(.get(server.url("/")))
        var events: [ServerSentEvent] = []
        for try await event in response.events {
            gates[events.count].open()
            events.append(event)
        }
        #expect(events.map(\.data) == ["a", "b", "c\nd"])
        #expect(events.map(\.event) == ["message", "e", "message"])
        #expect(events.map(\.id) == ["", "1", "1"])
    }

    /// A server that codes its events flushes after each.
    @Test(arguments: Subject.all)
    func anEventThatWasCodedIsThereWithItsEnd(_ subject: Subject) async throws {
        let parts = ["H4sIAAAAAAACA0pJLEm0Ukjk4gIAAAD//w==", "SwEzkri4ALpZx98SAAAA"]
        let bytes = try parts.map { try #require(Data(base64Encoded: $0)) }
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Answer([
                Self.head("text/event-stream\r\nContent-Encoding: gzip"), Self.chunk(bytes[0]),
                .wait(gate), Self.chunk(bytes[1]), Self.end,
            ])
        }
        let response = try await subject.transport().send(.get(server.url("/")))
        var data: [String] = []
        for try await event in response.events {
            gate.open()
            data.append(event.data)
        }
        #expect(data == ["a", "b"])
    }

    @Test(arguments: Subject.all)
    func leavingTheLoopEndsTheTransfer(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in
            Answer([Self.head("text/event-stream"), Self.chunk("data: a\n\n"), .hold])
        }
        let transport = subject.transport()
        for try await event in try await transport.send(.get(server.url("/"))).events {
            #expect(event.data == "a")
            break
        }
        #expect(await server.waitForOpenConnections(0))
        for try await event in transport.events(for: .get(server.url("/"))) {
            #expect(event.data == "a")
            break
        }
        #expect(await server.waitForOpenConnections(0))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: Subject.all)
    func aStreamThatEndsOrBreaksOffGoesOn(_ subject: Subject) async throws {
        let server = try LoopbackServer(script: [
            Answer([
                Self.head("text/event-stream"), Self.chunk("retry: 1\nid: 1\ndata: a\n\n"),
                Self.end,
            ]),
            // Cut between two chunks, in an event.
            Answer([
                Self.head("text/event-stream"), Self.chunk("id: 2\ndata: b\n\nid: 3\ndata: x\n"),
                .close,
            ]),
            Answer([
                Self.head("text/event-stream"), Self.chunk("id: é 3\ndata: c\n\n"), Self.end,
            ]),
            .respond(204),
        ])
        let transport = subject.transport()
        let events = try await within(30) {
            var events: [ServerSentEvent] = []
            for try await event in transport.events(for: .get(server.url("/"))) {
                events.append(event)
            }
            return events
        }
        #expect(events?.map(\.data) == ["a", "b", "c"])
        #expect(
            server.requests.map { $0.values("Last-Event-ID") } == [[], ["1"], ["2"], ["é 3"]])
        #expect(server.requests.allSatisfy { $0.values("Accept") == ["text/event-stream"] })
    }

    /// A connection that has died without a word is found by the idle limit.
    @Test(arguments: Subject.all)
    func aStreamThatFallsSilentIsConnectedAgain(_ subject: Subject) async throws {
        let stream = Answer([
            Self.head("text/event-stream"), Self.chunk("retry: 1\nid: 1\ndata: a\n\n"), .hold,
        ])
        // On a machine that is busy for so long, more than one of them may come too late.
        let server = try LoopbackServer { request in
            request.values("Last-Event-ID").isEmpty ? stream : .respond(204)
        }
        let transport = subject.transport()
        let data = try await within(30) {
            var data: [String] = []
            let request = HTTPRequest.get(server.url("/")) { $0.idleLimit = 0.3 }
            for try await event in transport.events(for: request) { data.append(event.data) }
            return data
        }
        #expect(data == ["a"])
        let ids = server.requests.map { $0.values("Last-Event-ID") }
        #expect(ids.first == [])
        #expect(ids.last == ["1"])
    }
}
