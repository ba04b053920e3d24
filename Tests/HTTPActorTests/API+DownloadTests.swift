// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// A download ends as a whole file in its place, or as nothing, on each terminal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct APIDownloadTests {
    private typealias Answer = LoopbackServer.Answer

    private static let content = pattern(300_000)
    private static let tag = [("ETag", "\"v1\"")]

    private let folder: Folder
    private let file: URL

    init() throws {
        folder = try Folder()
        file = folder.url.appendingPathComponent("export.bin")
    }

    private func progress() -> (
        values: @Sendable () -> [API.DownloadProgress],
        receive: @Sendable (API.DownloadProgress) -> Void
    ) {
        let values = Locked<[API.DownloadProgress]>([])
        return ({ values.withLock { $0 } }, { value in values.withLock { $0.append(value) } })
    }

    /// A head that promises all, the first bytes, and the end of the connection.
    private func cut(after count: Int, _ fields: [(String, String)] = tag) -> Answer {
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.content.count)\r\n\(lines)\r\n"
        return Answer([.text(head), .send(Self.content.prefix(count)), .close])
    }

    /// The rest from a place on, as a server that knows ranges sends it.
    private func rest(
        from first: Int, through last: Int? = nil, of total: String = "\(content.count)",
        _ fields: [(String, String)] = tag
    ) -> Answer {
        let last = last ?? Self.content.count - 1
        return .respond(
            206, [("Content-Range", "bytes \(first)-\(last)/\(total)")] + fields,
            body: Self.content[first...last])
    }

    /// Downloads what breaks off after 100,000 bytes, keeping them.
    private func leaveAPart(_ api: API, _ url: URL) async throws {
        let error = await #expect(throws: URLError.self) {
            try await api.download(
                url: url.absoluteString, to: file, resume: true, debug: false)
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(folder.names == ["export.bin.part", "export.bin.part.json"])
        #expect(folder.data("export.bin.part") == Self.content.prefix(100_000))
    }

    // MARK: Without resuming

    @Test(arguments: stacks)
    func fileHasTheBytes(stack: String) async throws {
        let content = Self.content
        let server = try LoopbackServer { _ in .respond(200, [("X-A", "b")], body: content) }
        let (values, receive) = progress()
        let response = try await API.over(stack).download(
            url: server.url("/").absoluteString + "{id}", to: file, pathParams: ["id": "7"],
            debug: false, onProgress: receive)
        #expect(folder.data("export.bin") == content)
        #expect(folder.names == ["export.bin"])
        #expect(response.status == 200)
        #expect(response.headers["X-A"] == "b")
        #expect(response.metrics?.bodyBytesReceived == Int64(content.count))
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.path == "/7")
        #expect(request.values("Accept") == ["*/*"])
        #expect(request.values("Accept-Encoding") == ["identity"])
        #expect(request.values("Range") == [])
        let bytes = values().map(\.bytesReceived)
        #expect(bytes == bytes.sorted())
        #expect(bytes.last == Int64(content.count))
        #expect(values().allSatisfy { $0.bytesInAll == Int64(content.count) })
        #expect(values().last?.fraction == 1)
    }

    @Test(arguments: stacks)
    func emptyBodyIsAnEmptyFile(stack: String) async throws {
        let server = try LoopbackServer { _ in .respond(200) }
        for resume in [false, true] {
            try await API.over(stack).download(
                url: server.url.absoluteString, to: file, resume: resume, debug: false)
            #expect(folder.data("export.bin") == Data())
            #expect(folder.names == ["export.bin"])
        }
    }

    @Test(arguments: stacks)
    func lengthThatIsNotSaidIsNotKnown(stack: String) async throws {
        let server = try LoopbackServer { _ in
            Answer([.text("HTTP/1.1 200 OK\r\n\r\nabc")], keepsAlive: false)
        }
        let (values, receive) = progress()
        try await API.over(stack).download(
            url: server.url.absoluteString, to: file, debug: false, onProgress: receive)
        #expect(folder.data("export.bin") == Data("abc".utf8))
        #expect(values().last?.bytesReceived == 3)
        #expect(values().last.map { $0.bytesInAll == nil } == true)
        #expect(values().last?.fraction == nil)
    }

    @Test(arguments: stacks)
    func reportIsAskedForByPost(stack: String) async throws {
        let server = try LoopbackServer { _ in .text("report") }
        try await API.over(stack).download(
            url: server.url.absoluteString, to: file, method: .post, body: .form(["year": "2026"]),
            headers: ["accept": "application/pdf"], debug: false)
        #expect(server.requests.map(\.bodyText) == ["year=2026"])
        #expect(server.requests.first?.values("Accept") == ["application/pdf"])
        #expect(folder.data("export.bin") == Data("report".utf8))
    }

    /// Until it is whole, what was there is there; then it is replaced.
    @Test(arguments: stacks)
    func fileThatIsThereIsReplacedAtOnce(stack: String) async throws {
        try Data("old".utf8).write(to: file)
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Answer([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nnew"), .wait(gate), .text("est"),
            ])
        }
        let (api, begun) = (try API.over(stack), Gate())
        let url = server.url.absoluteString
        let task = Task { [file] in
            try await api.download(url: url, to: file, debug: false) { _ in begun.open() }
        }
        await begun.wait()
        #expect(folder.data("export.bin") == Data("old".utf8))
        #expect(folder.names.count == 2)
        gate.open()
        _ = try await task.value
        #expect(folder.data("export.bin") == Data("newest".utf8))
        #expect(folder.names == ["export.bin"])
    }

    @Test(arguments: stacks)
    func failuresLeaveNothing(stack: String) async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000)])
        try Data("old".utf8).write(to: file)
        let error = await #expect(throws: URLError.self) {
            try await API.over(stack).download(
                url: server.url.absoluteString, to: file, debug: false)
        }
        #expect(error?.code == .networkConnectionLost)
        let refusing = "http://127.0.0.1:\(try LoopbackServer.closedPort())/"
        for resume in [false, true] {
            await #expect(throws: URLError.self) {
                try await API.over(stack).download(
                    url: refusing, to: file, resume: resume, debug: false)
            }
        }
        #expect(folder.names == ["export.bin"])
        #expect(folder.data("export.bin") == Data("old".utf8))
    }

    @Test(arguments: stacks, [false, true])
    func statusErrorHasTheBodyAndLeavesTheFile(stack: String, resume: Bool) async throws {
        try Data("old".utf8).write(to: file)
        let long = pattern(200_000)
        let server = try LoopbackServer(script: [
            .json(#"{"error":"gone"}"#, status: 410), .respond(500, body: long),
        ])
        for expected in [(410, Data(#"{"error":"gone"}"#.utf8)), (500, long.prefix(65_536))] {
            let error = await #expect(throws: HTTPStatusError.self) {
                try await API.over(stack).download(
                    url: server.url.absoluteString, to: file, resume: resume, debug: false)
            }
            #expect(error?.status == expected.0)
            #expect(error?.body == expected.1)
        }
        #expect(folder.names == ["export.bin"])
        #expect(folder.data("export.bin") == Data("old".utf8))
    }

    /// With resume, what came stays; without, nothing does.
    @Test(arguments: stacks, [false, true])
    func cancellingEndsTheTransfer(stack: String, resume: Bool) async throws {
        let steps = cut(after: 100_000).steps.dropLast()
        let server = try LoopbackServer { _ in Answer(steps + [.hold]) }
        let (api, begun) = (try API.over(stack), Gate())
        let url = server.url.absoluteString
        let task = Task { [file] in
            try await api.download(url: url, to: file, resume: resume, debug: false) {
                if $0.bytesReceived == 100_000 { begun.open() }
            }
        }
        await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await server.waitForOpenConnections(0))
        #expect(folder.names == (resume ? ["export.bin.part", "export.bin.part.json"] : []))
    }

    @Test(arguments: stacks)
    func transientFailureIsRepeated(stack: String) async throws {
        let server = try LoopbackServer(script: [.text("later", status: 503), .text("ok")])
        let api = try API.over(stack)
        await api.setPersistConnectionDelay(0)
        let response = try await api.download(
            url: server.url.absoluteString, to: file, persistConnection: true, debug: false)
        #expect(folder.data("export.bin") == Data("ok".utf8))
        #expect(response.metrics?.attempts == 2)
    }

    @Test(arguments: stacks)
    func codingIsUndoneAndItsLengthIsNotTheFiles(stack: String) async throws {
        let gzip = Data(base64Encoded: "H4sIAAAAAAACA0tMSk5JTUsHAKZqKjEHAAAA") ?? Data()
        let plain = Data("abcdefg".utf8)
        let fields = [("Content-Encoding", "gzip")] + Self.tag
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nETag: \"v1\"\r\n"
        let server = try LoopbackServer(script: [
            .respond(200, fields, body: gzip),
            .cut(head + "Content-Length: 100\r\n\r\n"),
        ])
        let (values, receive) = progress()
        try await API.over(stack).download(
            url: server.url.absoluteString, to: file, debug: false, onProgress: receive)
        #expect(folder.data("export.bin") == plain)
        #expect(values().last?.bytesReceived == 7)
        #expect(values().last.map { $0.bytesInAll == nil } == true)
        // A rest of it could not be asked for.
        await #expect(throws: (any Error).self) {
            try await API.over(stack).download(
                url: server.url.absoluteString, to: file, resume: true, debug: false)
        }
        #expect(folder.names == ["export.bin"])
    }

    // MARK: The file

    /// Said before anything is sent.
    @Test func placeThatCannotBeWrittenToIsNamed() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let api = API(transport: standardStack())
        let places = [
            folder.url, folder.url.appendingPathComponent("nope/a.bin"),
            try #require(URL(string: "https://host/a.bin")),
        ]
        for place in places {
            for resume in [false, true] {
                let error = await #expect(throws: URLError.self) {
                    try await api.download(
                        url: server.url.absoluteString, to: place, resume: resume, debug: false)
                }
                #expect(error?.code == .cannotCreateFile)
                if place.isFileURL {
                    #expect(error?.localizedDescription.contains(place.path) == true)
                }
            }
        }
        #expect(server.acceptCount == 0)
        #expect(folder.names == [])
    }

    /// The same, when it could be written to before.
    @Test func placeThatBecomesAFolderIsNamedAndStays() async throws {
        let server = try LoopbackServer { [file] _ in
            try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            return .text("ok")
        }
        let error = await #expect(throws: URLError.self) {
            try await API(transport: standardStack()).download(
                url: server.url.absoluteString, to: file, debug: false)
        }
        #expect(error?.code == .cannotMoveFile)
        #expect(error?.localizedDescription.contains(file.path) == true)
        #expect(folder.names == ["export.bin"])
    }

    @Test func twoAtOnceDoNotKeepTheSameFile() async throws {
        let steps = cut(after: 1_000).steps.dropLast()
        let server = try LoopbackServer { _ in Answer(steps + [.hold]) }
        let (api, begun) = (API(transport: standardStack()), Gate())
        let url = server.url.absoluteString
        let task = Task { [file] in
            try await api.download(url: url, to: file, resume: true, debug: false) { _ in
                begun.open()
            }
        }
        await begun.wait()
        let error = await #expect(throws: URLError.self) {
            try await api.download(url: url, to: file, resume: true, debug: false)
        }
        #expect(error?.code == .cannotCreateFile)
        #expect(error?.localizedDescription.contains("already") == true)
        #expect(folder.names == ["export.bin.part", "export.bin.part.json"])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: Resuming

    @Test(arguments: stacks)
    func resumingAsksForTheRest(stack: String) async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000), rest(from: 100_000)])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        let (values, receive) = progress()
        let response = try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false,
            onProgress: receive)
        #expect(folder.data("export.bin") == Self.content)
        #expect(folder.names == ["export.bin"])
        #expect(response.status == 206)
        let request = try #require(server.requests.last)
        #expect(request.values("Range") == ["bytes=100000-"])
        #expect(request.values("If-Range") == ["\"v1\""])
        #expect(request.values("Accept-Encoding") == ["identity"])
        #expect(values().allSatisfy { $0.bytesInAll == 300_000 && $0.bytesReceived > 100_000 })
        #expect(values().last?.fraction == 1)
    }

    /// As often as it takes, from where it stands.
    @Test(arguments: stacks)
    func restThatBreaksOffIsResumed(stack: String) async throws {
        let part = "HTTP/1.1 206 P\r\nContent-Range: bytes 100000-299999/300000\r\n"
        let server = try LoopbackServer(script: [
            cut(after: 100_000),
            Answer([
                .text(part + "Content-Length: 200000\r\n\r\n"),
                .send(Self.content[100_000..<250_000]), .close,
            ]),
            rest(from: 250_000),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        for isLast in [false, true] {
            let result = await Result {
                try await api.download(
                    url: server.url.absoluteString, to: file, resume: true, debug: false)
            }
            #expect((try? result.get().status) == (isLast ? 206 : nil))
        }
        #expect(server.requests.last?.values("Range") == ["bytes=250000-"])
        #expect(folder.data("export.bin") == Self.content)
    }

    /// The server's content has changed, or it knows no ranges: all of it comes.
    @Test(arguments: stacks)
    func wholeAnswerStartsOver(stack: String) async throws {
        let new = pattern(50_000)
        let server = try LoopbackServer(script: [
            cut(after: 100_000), .respond(200, [("ETag", "\"v2\"")], body: new),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == new)
        #expect(folder.names == ["export.bin"])
    }

    /// A part that can't follow what is there: another place, content or length, or none.
    @Test(
        arguments: stacks,
        [
            "bytes 99999-299999/300000", "bytes 100001-299999/300000", "bytes 100000-299999/300001",
            "bytes 100000-99999/300000", "bytes 100000-299999/299999", "bytes */300000",
            "items 100000-299999/300000", "bytes 100000-299999", "", "v2",
        ])
    func partThatDoesNotFitIsAskedForWhole(stack: String, range: String) async throws {
        let fields =
            range == "v2"
            ? [("Content-Range", "bytes 100000-299999/300000"), ("ETag", "\"v2\"")]
            : [("Content-Range", range)]
        let server = try LoopbackServer(script: [
            cut(after: 100_000), .respond(206, fields, body: Self.content[100_000...]),
            .respond(200, Self.tag, body: Self.content),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == Self.content)
        #expect(server.requests.map { $0.values("Range").count } == [0, 1, 0])
        #expect(server.requests.last?.values("If-Range") == [])
    }

    /// A server may send less than the rest: the next rest is asked for in the same call.
    @Test(arguments: stacks)
    func shorterPartsAreJoined(stack: String) async throws {
        let server = try LoopbackServer(script: [
            cut(after: 100_000), rest(from: 100_000, through: 149_999),
            rest(from: 150_000, through: 150_000, of: "*"), rest(from: 150_001),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == Self.content)
        #expect(
            server.requests.flatMap { $0.values("Range") }
                == ["bytes=100000-", "bytes=150000-", "bytes=150001-"])
    }

    /// More or fewer bytes than the range has: nothing is right any more.
    @Test(arguments: stacks, [200_001, 199_999])
    func partOfAnotherLengthIsAnError(stack: String, count: Int) async throws {
        let fields = [("Content-Range", "bytes 100000-299999/300000")]
        let server = try LoopbackServer(script: [
            cut(after: 100_000), .respond(206, fields, body: pattern(count)),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        let error = await #expect(throws: URLError.self) {
            try await api.download(
                url: server.url.absoluteString, to: file, resume: true, debug: false)
        }
        #expect(error?.code == .badServerResponse)
        #expect(folder.names == [])
    }

    @Test(arguments: stacks)
    func partNobodyAskedForIsAnError(stack: String) async throws {
        let server = try LoopbackServer(script: [rest(from: 0, through: 9)])
        for resume in [false, true] {
            let error = await #expect(throws: URLError.self) {
                try await API.over(stack).download(
                    url: server.url.absoluteString, to: file, resume: resume, debug: false)
            }
            #expect(error?.code == .badServerResponse)
        }
        #expect(folder.names == [])
    }

    @Test(arguments: stacks)
    func rangeOfTheCallersOwnIsTheFile(stack: String) async throws {
        let server = try LoopbackServer(script: [rest(from: 10, through: 19)])
        try await API.over(stack).download(
            url: server.url.absoluteString, to: file, headers: ["range": "bytes=10-19"],
            resume: true, debug: false)
        #expect(folder.data("export.bin") == Self.content[10...19])
        #expect(server.requests.first?.values("Range") == ["bytes=10-19"])
    }

    /// The call ended after the last byte and before the name: the server has no more to send.
    @Test(arguments: stacks)
    func nothingLeftToAskForIsTheWhole(stack: String) async throws {
        let server = try LoopbackServer(script: [
            cut(after: 100_000),
            .respond(416, [("Content-Range", "bytes */300000")], body: "none"),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        try Self.content.write(to: folder.url.appendingPathComponent("export.bin.part"))
        let response = try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(response.status == 416)
        #expect(folder.data("export.bin") == Self.content)
        #expect(folder.names == ["export.bin"])
        #expect(server.requests.last?.values("Range") == ["bytes=300000-"])
    }

    @Test(arguments: stacks, ["bytes */50000", "bytes */*", ""])
    func rangeTheServerDoesNotHaveIsAskedForWhole(stack: String, range: String) async throws {
        let new = pattern(50_000)
        let server = try LoopbackServer(script: [
            cut(after: 100_000), .respond(416, [("Content-Range", range)]),
            .respond(200, body: new),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == new)
        #expect(folder.names == ["export.bin"])
    }

    /// A failure on the way says nothing about the content.
    @Test(arguments: stacks)
    func partOutlivesAStatusError(stack: String) async throws {
        let server = try LoopbackServer(script: [
            cut(after: 100_000), .text("later", status: 503), rest(from: 100_000),
        ])
        let api = try API.over(stack)
        try await leaveAPart(api, server.url)
        await #expect(throws: HTTPStatusError.self) {
            try await api.download(
                url: server.url.absoluteString, to: file, resume: true, debug: false)
        }
        #expect(folder.data("export.bin.part") == Self.content.prefix(100_000))
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == Self.content)
    }

    @Test func partOfAnotherURLIsNotContinued() async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000), .text("other")])
        let api = API(transport: standardStack())
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url("/other").absoluteString, to: file, resume: true, debug: false)
        #expect(server.requests.last?.values("Range") == [])
        #expect(folder.data("export.bin") == Data("other".utf8))
    }

    @Test func recordThatCannotBeReadIsLeftAside() async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000), .text("whole")])
        let api = API(transport: standardStack())
        try await leaveAPart(api, server.url)
        try Data("{".utf8).write(to: folder.url.appendingPathComponent("export.bin.part.json"))
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(server.requests.last?.values("Range") == [])
        #expect(folder.data("export.bin") == Data("whole".utf8))
        #expect(folder.names == ["export.bin"])
    }

    /// The URL may hold a secret, so the record is for its owner alone.
    @Test func recordIsPrivate() async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000)])
        try await leaveAPart(API(transport: standardStack()), server.url)
        let path = folder.url.appendingPathComponent("export.bin.part.json").path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    // RFC 9110, section 13.1.5: what a rest can be asked for by.
    @Test(
        arguments: [
            ([("ETag", "\"v1\"")], "\"v1\""),
            ([("ETag", "\"v1\""), ("Accept-Ranges", "bytes")], "\"v1\""),
            ([("ETag", "W/\"v1\"")], nil), ([], nil), ([("ETag", "v1")], nil),
            ([("ETag", "\"v1\""), ("Accept-Ranges", "none")], nil),
            (
                [
                    ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("Date", "Sun, 06 Nov 1994 08:50:37 GMT"),
                ], "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            // Changed as it was sent: it may change again within the second.
            (
                [
                    ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("Date", "Sun, 06 Nov 1994 08:50:36 GMT"),
                ], nil
            ),
            ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], nil),
            ([("Last-Modified", "once"), ("Date", "Sun, 06 Nov 1994 08:50:37 GMT")], nil),
            (
                [
                    ("ETag", "W/\"v1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("Date", "Sun, 06 Nov 1995 08:49:37 GMT"),
                ], nil
            ),
        ] as [([(String, String)], String?)])
    func onlyAStrongValidatorIsKept(fields: [(String, String)], validator: String?) async throws {
        let server = try LoopbackServer(script: [cut(after: 100_000, fields), .text("whole")])
        let api = API(transport: standardStack())
        for _ in 0..<2 {
            _ = try? await api.download(
                url: server.url.absoluteString, to: file, resume: true, debug: false)
        }
        #expect(server.requests.last?.values("If-Range") == (validator.map { [$0] } ?? []))
        #expect(folder.data("export.bin") == Data("whole".utf8))
    }

    /// Over a redirect, the part is still one of the URL that was asked for.
    @Test func resumingGoesOverRedirects() async throws {
        let redirect = Answer.respond(302, [("Location", "/x")])
        let server = try LoopbackServer(script: [
            redirect, cut(after: 100_000), redirect, rest(from: 100_000),
        ])
        let api = API(transport: standardStack())
        try await leaveAPart(api, server.url)
        try await api.download(
            url: server.url.absoluteString, to: file, resume: true, debug: false)
        #expect(folder.data("export.bin") == Self.content)
        #expect(server.requests.last?.values("Range") == ["bytes=100000-"])
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
