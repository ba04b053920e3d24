// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What is set for the whole process, so one test at a time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct APITests {
    /// Runs a test with other settings and puts the old ones back.
    private func restoringGlobals(_ body: () async throws -> Void) async throws {
        let (logs, retries) = (API.logsByDefault, API.maxPersistRetries)
        defer {
            API.logsByDefault = logs
            API.maxPersistRetries = retries
        }
        try await body()
    }

    /// Answers with the statuses in turn; the last one repeats.
    private func server(_ statuses: Int..., fields: [(String, String)] = []) throws
        -> LoopbackServer
    {
        try LoopbackServer(
            script: statuses.map {
                .respond($0, fields, body: $0 == 200 ? #"{"id":1,"name":"Ann"}"# : "later")
            }
        )
    }

    private func api() async -> API {
        let api = API(transport: standardStack())
        await api.setPersistConnectionDelay(0)
        return api
    }

    @Test func callsLogUnlessOneLineSwitchesTheAppOff() async throws {
        try await restoringGlobals {
            #expect(API.logsByDefault)
            let recorder = Recorder()
            let api = API(transport: recorder)
            try await api.request(url: "http://h.net/", method: .get)
            API.logsByDefault = false
            try await api.request(url: "http://h.net/", method: .get)
            try await api.request(url: "http://h.net/", method: .get, debug: true)
            #expect(recorder.requests.map(\.options.logs) == [true, false, true])
        }
    }

    @Test func persistConnectionRepeatsUntilItSucceeds() async throws {
        let server = try server(503, 503, 200)
        let user: User = try await api().request(
            url: server.url("/").absoluteString,
            method: .get,
            persistConnection: true,
            debug: false
        )
        #expect(user == User(id: 1, name: "Ann"))
        #expect(server.requests.count == 3)
    }

    @Test func persistConnectionRepeatsThreeTimesAtMost() async throws {
        let server = try server(503)
        let error = await #expect(throws: HTTPStatusError.self) {
            try await api().request(
                url: server.url("/").absoluteString,
                method: .get,
                persistConnection: true,
                debug: false
            )
        }
        #expect(error?.status == 503)
        #expect(error?.body == Data("later".utf8))
        #expect(API.maxPersistRetries == 3)
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [(1, 1), (0, 0), (-2, 0)])
    func maxPersistRetriesCanBeSet(retries: Int, expected: Int) async throws {
        try await restoringGlobals {
            API.maxPersistRetries = retries
            #expect(API.maxPersistRetries == expected)
            let server = try server(503)
            await #expect(throws: HTTPStatusError.self) {
                try await api().request(
                    url: server.url("/").absoluteString,
                    method: .get,
                    persistConnection: true,
                    debug: false
                )
            }
            #expect(server.requests.count == expected + 1)
        }
    }

    // No input ever traps: one more than the highest number is none.
    @Test func theHighestNumberOfRetriesDoesNotTrap() async throws {
        try await restoringGlobals {
            API.maxPersistRetries = .max
            let server = try server(503, 200)
            try await api().request(
                url: server.url("/").absoluteString,
                method: .get,
                persistConnection: true,
                debug: false
            )
            #expect(server.requests.count == 2)
        }
    }

    @Test func withoutPersistConnectionNothingIsRepeated() async throws {
        let server = try server(503, 200)
        await #expect(throws: HTTPStatusError.self) {
            try await api().request(
                url: server.url("/").absoluteString,
                method: .get,
                debug: false
            )
        }
        #expect(server.requests.count == 1)
    }

    @Test func aPostThatMayHaveBeenActedOnIsNotRepeated() async throws {
        let server = try server(500, 200)
        let error = await #expect(throws: HTTPStatusError.self) {
            try await api().request(
                url: server.url("/").absoluteString,
                method: .post,
                body: jsonBody(["a": 1]),
                persistConnection: true,
                debug: false
            )
        }
        #expect(error?.status == 500)
        #expect(server.requests.count == 1)
    }

    @Test func aPostThatWasTurnedAwayIsRepeatedWithItsBody() async throws {
        let server = try server(429, 200, fields: [("Retry-After", "0")])
        try await api().request(
            url: server.url("/").absoluteString,
            method: .post,
            body: jsonBody(["a": 1]),
            persistConnection: true,
            debug: false
        )
        #expect(server.requests.map(\.bodyText) == [#"{"a":1}"#, #"{"a":1}"#])
    }

    @Test func theDelayIsPassedOnAndNeverNegative() async throws {
        let recorder = Recorder()
        let api = API(transport: recorder)
        for delay in [2.5, -1, .nan] {
            await api.setPersistConnectionDelay(delay)
            try await api.request(
                url: "http://h.net/", method: .get, persistConnection: true, debug: false)
        }
        #expect(recorder.requests.map(\.options.retryDelay) == [2.5, 0, 0])
    }

    // A call takes a snapshot of the settings and needs nothing else of the actor.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aCallDoesNotWaitForTheActor() async throws {
        let server = try server(200)
        let api = API(transport: standardStack())
        let (isHeld, release) = (Gate(), Gate())
        let holding = Task(executorPreference: ThreadOfItsOwn()) {
            await api.hold(isHeld, until: release)
        }
        await isHeld.wait()
        let user: User = try await api.request(
            url: server.url("/").absoluteString,
            method: .get,
            debug: false
        )
        #expect(user == User(id: 1, name: "Ann"))
        release.open()
        #expect(await holding.value)
    }

    @Test func aHundredCallsAtOnceEachGetTheirOwnAnswer() async throws {
        let server = try LoopbackServer { request in
            .json(#"{"id":\#(request.path.dropFirst()),"name":"\#(request.bodyText)"}"#)
        }
        let api = API(transport: standardStack())
        let url = server.url.absoluteString
        try await withThrowingTaskGroup { group in
            for id in 0..<100 {
                group.addTask {
                    let user: User = try await api.request(
                        url: url + "/{id}",
                        method: .put,
                        body: RawBody(data: Data("n\(id)".utf8), contentType: "text/plain"),
                        pathParams: ["id": "\(id)"],
                        debug: false
                    )
                    #expect(user == User(id: id, name: "n\(id)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 100)
    }

    @Test func theSharedAPIUsesTheDefaultTransport() async throws {
        let server = try server(200)
        let user: User = try await API.shared.request(
            url: server.url("/").absoluteString,
            method: .get,
            debug: false
        )
        #expect(user.name == "Ann")
    }

    @Test func theDecoderIsTheCallersToSet() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Named: Decodable { let firstName: String }
        let api = API(transport: Recorder(body: #"{"first_name":"Ann"}"#), decoder: decoder)
        let named: Named = try await api.request(url: "http://h.net/", method: .get, debug: false)
        #expect(named.firstName == "Ann")
    }
}

extension API {
    /// Holds the actor, and the thread it is on, until the gate opens.
    fileprivate func hold(_ isHeld: Gate, until gate: Gate) -> Bool {
        isHeld.open()
        return gate.waitBlocking(timeout: 30)
    }
}

/// Runs jobs on a thread that nothing else waits for, so that a job may block it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class ThreadOfItsOwn: TaskExecutor {
    private let queue = DispatchQueue(label: "thread of its own")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
