// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport

/// The servers of the soak, and each kind of request that is sent to them.
final class SoakMix: Sendable {
    enum Kind: CaseIterable {
        case get, getOverTLS, post, put, upload, download, cancelled, cancelledBody, timeout,
            redirect
        case repeatedRedirect, retry, cutBody, reset, lostPost, status, badJSON, closure, stateful
        case clientCertificate, noClientCertificate
    }

    /// What an answer should have been.
    struct Wrong: Error {
        let what: String
    }

    private struct Item: Codable, Sendable, Equatable {
        let number: Int
        let text: String
    }

    private struct Acts: Sendable {
        /// How often the request of each number has arrived, of those that must not act twice: a byte each, so
        /// that it takes little memory.
        var arrivals: [UInt8] = []
        /// Those that were told to come again.
        var refused: Set<Int> = []
    }

    private let acts = Locked(Acts())
    private let server: LoopbackServer
    private let nginx: NginxServer
    private let folder: Folder
    private let api: API
    /// Repeats what it may.
    private let patient: API
    private let transport: any HTTPTransport
    private let identity: ClientIdentity

    init() throws {
        let acts = acts
        server = try LoopbackServer(recordsRequests: false) { request in
            let number = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            let isRefused = acts.withLock { acts in
                if request.path.hasPrefix("/once") { acts.arrivals[number] &+= 1 }
                guard request.path.hasPrefix("/any/busy") else { return false }
                if acts.refused.remove(number) != nil { return false }
                return acts.refused.insert(number).inserted
            }
            return Self.answer(request, isRefused: isRefused)
        }
        // By default, nginx ends a connection after a thousand requests: a POST that shares it is then refused.
        let many = "keepalive_requests 1000000000; access_log off;"
        nginx = try NginxServer(
            .init(directives: "access_log off;"), .init(clients: .required, directives: many))
        folder = try Folder()
        let certificates = try TestCertificates.shared()
        transport = CurlTransport(trust: .roots(try certificates.root)).standard()
        api = API(transport: transport)
        // Without a budget: here every call that may be repeated is. With a number of its own, since other tests
        // set the one of the process.
        var policy = RetryPolicy(attempts: 4)
        policy.budget = nil
        patient = API(transport: transport.retrying(policy))
        identity = ClientIdentity(
            pkcs12: try certificates.pkcs12(.full), password: TestCertificates.password)
    }

    func nextNumber() -> Int {
        acts.withLock { acts in
            acts.arrivals.append(0)
            return acts.arrivals.count - 1
        }
    }

    /// How many requests that must not act twice arrived more than once.
    var actedTwice: Int {
        acts.withLock { acts in acts.arrivals.count { $0 > 1 } }
    }

    private static func answer(
        _ request: LoopbackServer.Request, isRefused: Bool
    ) -> LoopbackServer.Answer {
        let parts = request.path.split(separator: "/")
        let (kind, number) = (parts.dropFirst().first ?? "", parts.last ?? "")
        let item = #"{"number":\#(number),"text":"é \#(request.body.count)"}"#
        return switch kind {
        case "body": .respond(200, body: pattern(300_000))
        case "hold": LoopbackServer.Answer([.hold])
        case "half":
            LoopbackServer.Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"), .send(pattern(50_000)),
                .hold,
            ])
        case "cut": .cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456")
        case "reset": LoopbackServer.Answer([.reset])
        case "lost": LoopbackServer.Answer([.close])
        case "see": .respond(303, [("Location", "/any/item/\(number)")], body: "moved")
        case "again": .respond(307, [("Location", "/once/item/\(number)")], body: "moved")
        case "busy" where isRefused: .respond(503, [("Retry-After", "0")], body: "busy")
        case "status": .json(#"{"title":"no"}"#, status: 418)
        case "bad": .json(#"{"number":"#)
        default: .json(item)
        }
    }

    /// Sends one and looks at its end.
    ///
    /// - Returns: Whether it was answered; else it failed as it should.
    func run(_ kind: Kind, _ number: Int, _ random: inout Seeded) async throws -> Bool {
        let free: (String) -> String = { "\(self.server.url)/any/\($0)/\(number)" }
        let once: (String) -> String = { "\(self.server.url)/once/\($0)/\(number)" }
        switch kind {
        case .get:
            let item: Item = try await api.request(url: free("item"), method: .get, debug: false)
            try expect(item.number == number, "\(item)")
        case .getOverTLS:
            let url = nginx.url("/\(number)").absoluteString
            // Once in some hundred times that nginx ends a connection, a request is on its way and lost.
            let seen: NginxServer.Exchange = try await patient.request(
                url: url, method: .get, persistConnection: true, debug: false)
            try expect(seen.target == "/\(number)", "\(seen)")
        case .post:
            let body = jsonBody(Item(number: number, text: "text"))
            let item: Item = try await api.request(
                url: once("item"), method: .post, body: body, debug: false)
            try expect(item.number == number, "\(item)")
        case .put:
            let item: Item = try await api.upload(
                url: once("item"), body: .data(pattern(70_000)), contentType: .octetStream,
                method: .put, debug: false)
            try expect(item.text == "é 70000", "\(item)")
        case .upload:
            var form = MultipartForm()
            form.file("f", data: pattern(random.number(1...300_000)), filename: "f")
            let length = form.contentLength ?? 0
            let item: Item = try await api.upload(url: once("item"), form: form, debug: false)
            try expect(item.text == "é \(length)", "\(item)")
        case .download:
            let file = folder.url.appendingPathComponent("\(number)")
            defer { try? FileManager.default.removeItem(at: file) }
            try await api.download(url: free("body"), to: file, debug: false)
            try expect(try Data(contentsOf: file) == pattern(300_000), "another file")
        case .cancelled, .cancelledBody:
            return try await cancelled(free(kind == .cancelled ? "hold" : "half"), &random)
        case .timeout:
            return try await fails(.timedOut) {
                try await api.request(
                    url: free("hold"), method: .get, debug: false, timeoutInterval: 0.05)
            }
        case .redirect:
            let item: Item = try await api.request(
                url: once("see"), method: .post, body: jsonBody(number), debug: false)
            try expect(item == Item(number: number, text: "é 0"), "\(item)")
        case .repeatedRedirect:
            let item: Item = try await api.request(
                url: free("again"), method: .post,
                body: RawBody(data: pattern(9), contentType: "a/b"),
                debug: false)
            try expect(item == Item(number: number, text: "é 9"), "\(item)")
        case .retry:
            let item: Item = try await patient.request(
                url: free("busy"), method: .post, body: jsonBody(number), persistConnection: true,
                debug: false)
            try expect(item.number == number, "\(item)")
        case .cutBody, .reset:
            return try await fails(.networkConnectionLost) {
                try await api.request(
                    url: free(kind == .cutBody ? "cut" : "reset"), method: .get, debug: false)
            }
        case .lostPost:
            return try await fails(.networkConnectionLost) {
                try await patient.request(
                    url: once("lost"), method: .post, body: jsonBody(number),
                    persistConnection: true,
                    debug: false)
            }
        default: return try await runOther(kind, number, free)
        }
        return true
    }

    private func runOther(
        _ kind: Kind, _ number: Int, _ free: (String) -> String
    ) async throws -> Bool {
        let request = URLRequest(url: URL(string: free("item")) ?? server.url)
        let endpoint = Endpoint<Item>(
            request: request, decodeResponse: JSONDecoder().decodeResponse)
        switch kind {
        case .closure:
            let results = AsyncStream.makeStream(of: Result<Item, any Error>.self)
            endpoint.load(on: transport, queue: .global()) { results.continuation.yield($0) }
            for await result in results.stream {
                try expect(try result.get().number == number, "\(result)")
                return true
            }
        case .stateful:
            let shared = StatefulEndpoint(endpoint: endpoint, transport: transport)
            await shared.reload()
            guard case .success(let item) = shared.state, item.number == number else {
                throw Wrong(what: "\(shared.state)")
            }
        case .clientCertificate:
            let seen = try await exchange(number, identity)
            try expect(seen?.client.contains(TestCertificates.clientName) == true, "\(seen as Any)")
        case .noClientCertificate:
            try expect(try await exchange(number, nil) == nil, "an answer")
            return false
        case .status:
            do {
                try await api.request(url: free("status"), method: .get, debug: false)
            } catch let error as HTTPStatusError where error.status == 418 {
                return false
            } catch { throw error }
            throw Wrong(what: "success")
        default:
            do {
                let _: Item = try await api.request(url: free("bad"), method: .get, debug: false)
            } catch is DecodingError { return false }
            throw Wrong(what: "success")
        }
        return true
    }

    /// What nginx saw of a POST; nil: it wants another certificate.
    private func exchange(
        _ number: Int, _ identity: ClientIdentity?
    ) async throws -> NginxServer.Exchange? {
        var request = HTTPRequest(
            URLRequest(method: .post, url: nginx.url("/\(number)", site: 1)),
            body: .data(pattern(99)))
        request.options.identity = identity
        request.options.collect = 1 << 20
        let response = try await transport.send(request)
        let data = try await response.data()
        guard response.status == 200 else { return nil }
        return try JSONDecoder().decode(NginxServer.Exchange.self, from: data)
    }

    private func cancelled(_ url: String, _ random: inout Seeded) async throws -> Bool {
        let call = Task { [api] in
            let _: Data = try await api.request(url: url, method: .get, debug: false)
        }
        try await Task.sleep(nanoseconds: UInt64(random.number(0...9_000_000)))
        call.cancel()
        guard case .failure(is CancellationError) = await call.result else {
            throw Wrong(what: "no cancellation")
        }
        return false
    }

    private func fails(_ code: URLError.Code, _ work: () async throws -> Void) async throws -> Bool
    {
        do {
            try await work()
        } catch let error as URLError where error.code == code {
            return false
        } catch { throw error }
        throw Wrong(what: "success")
    }

    private func expect(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
        if !isRight { throw Wrong(what: what()) }
    }
}
#endif
