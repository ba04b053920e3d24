// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport
import TestTransports
import Testing

/// What an upload sends and returns, on each terminal.
@Suite(.timeLimit(.minutes(5)))
struct APIUploadTests {
    private typealias Answer = LoopbackServer.Answer

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// What arrives of one form, and its parts.
    private func arriving(
        _ stack: String,
        _ form: MultipartForm,
        headers: [String: String] = [:]
    ) async throws -> (request: LoopbackServer.Request, parts: [MultipartPart]) {
        let server = try LoopbackServer(script: [.text("ok")])
        try await API.over(stack).upload(
            url: server.url.absoluteString, form: form, headers: headers, debug: false)
        let request = try #require(server.requests.first)
        // O-19
        #expect(request.bodyIsComplete)
        #expect(request.values("Content-Length") == ["\(request.body.count)"])
        #expect(request.values("Transfer-Encoding") == [])
        let type = try #require(request.first("Content-Type"))
        return (request, try MultipartPart.parts(of: request.body, contentType: type))
    }

    // MARK: What is sent

    // O-14, O-15 and O-19: a text part and a file of 2.3 MiB, on the wire.
    @Test(arguments: stacks)
    func aFormArrivesByteForByte(_ stack: String) async throws {
        let content = pattern(2_411_724) + Data("l1\r\nl2\r\n".utf8)
        var form = MultipartForm()
        form.field("title", "héllo")
        form.file("photo", url: try folder.file("beach.heic", content))
        form.file("note", data: Data("n".utf8), filename: "n.txt")
        let (request, parts) = try await arriving(stack, form)
        #expect(request.method == "POST")
        #expect(request.body == (try form.encoded()))
        #expect(request.values("Content-Type") == [form.contentType])
        #expect(request.values("Accept") == ["application/json"])
        #expect(parts.map(\.head.name) == ["title", "photo", "note"])
        #expect(parts.map(\.head.contentType) == [nil, "image/heic", "text/plain"])
        #expect(parts[0].data == Data("héllo".utf8))
        #expect(parts[1].data == content)
    }

    // O-09 to O-11
    @Test(arguments: stacks)
    func hardNamesArriveAsTheyAre(_ stack: String) async throws {
        let names = [
            #"my "draft".pdf"#: "my %22draft%22.pdf", "файл 名.txt": "файл 名.txt",
            "evil\r\nContent-Type: text/x\r\n\r\nSMUGGLED":
                "evil%0D%0AContent-Type: text/x%0D%0A%0D%0ASMUGGLED",
        ]
        for (name, sent) in names {
            var form = MultipartForm()
            form.file("data", data: Data("ok".utf8), filename: name)
            let (request, parts) = try await arriving(stack, form)
            let line = #"Content-Disposition: form-data; name="data"; filename="\#(sent)""#
            #expect(request.bodyText.contains(line + "\r\n"))
            #expect(!request.bodyText.contains("filename*"))
            #expect(parts.map(\.data) == [Data("ok".utf8)])
            #expect(parts.first?.head.fields.count == 2)
        }
    }

    // O-12: what was saved from one upload is the content of the next.
    @Test(arguments: stacks)
    func aSavedBodyIsUploadedWhole(_ stack: String) async throws {
        var first = MultipartForm()
        first.field("a", "1")
        let (saved, _) = try await arriving(stack, first)
        var second = MultipartForm()
        let content = Data("x\r\n--\(first.boundary)--\r\ny".utf8) + saved.body
        second.file("dump", data: content, filename: "dump.bin")
        let (request, parts) = try await arriving(stack, second)
        #expect(request.first("Content-Type") != saved.first("Content-Type"))
        #expect(parts.map(\.data) == [content])
    }

    // O-13
    @Test(arguments: stacks)
    func theTypeOfAFormStays(_ stack: String) async throws {
        var form = MultipartForm()
        form.field("a", "1")
        let given = ["Content-Type": "application/json", "content-type": "multipart/form-data"]
        let (request, parts) = try await arriving(stack, form, headers: given)
        #expect(request.values("Content-Type") == [form.contentType])
        #expect(parts.count == 1)
    }

    @Test func whatIsDecidedPerCallReachesTheTransport() async throws {
        let recorder = Recorder()
        let api = API(transport: recorder)
        try await api.upload(
            url: "http://h.net/{id}", form: MultipartForm(), method: .put,
            headers: ["X-A": "1", "accept": "text/csv"], pathParams: ["id": "a b"],
            persistConnection: true, debug: true, timeoutInterval: 2.5,
            networkServiceType: .background)
        try await api.upload(
            url: "http://h.net/", body: .data(Data("a".utf8)), method: .patch, debug: false)
        let (form, body) = (recorder.requests[0], recorder.requests[1])
        #expect(form.urlRequest.url?.absoluteString == "http://h.net/a%20b")
        #expect([form, body].map(\.urlRequest.httpMethod) == ["PUT", "PATCH"])
        #expect([form, body].map(\.urlRequest.timeoutInterval) == [2.5, 30])
        #expect([form, body].map(\.options.attempts) == [1 + API.maxPersistRetries, 1])
        #expect([form, body].map(\.options.logs) == [true, false])
        #expect(form.urlRequest.networkServiceType == .background)
        #expect(form.urlRequest.value(forHTTPHeaderField: "Accept") == "text/csv")
        #expect(form.urlRequest.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test(arguments: stacks)
    func aFileOrBytesAreTheWholeBody(_ stack: String) async throws {
        let server = try LoopbackServer { request in
            .json(
                #"{"id":\#(request.body.count),"name":"\#(request.first("Content-Type") ?? "")"}"#)
        }
        let (url, api) = (server.url.absoluteString, try API.over(stack))
        let content = pattern(300_000)
        let file = try folder.file("a.bin", content)
        let put: User = try await api.upload(
            url: url, body: .file(file), contentType: ContentType(rawValue: "image/heic"),
            method: .put, debug: false)
        #expect(put == User(id: 300_000, name: "image/heic"))
        let posted: User = try await api.upload(url: url, body: .data(content), debug: false)
        #expect(posted == User(id: 300_000, name: "application/octet-stream"))
        let given: User = try await api.upload(
            url: url, body: .data(Data()), headers: ["content-TYPE": "text/csv"], debug: false)
        #expect(given == User(id: 0, name: "text/csv"))
        #expect(server.requests.map(\.method) == ["PUT", "POST", "POST"])
        #expect(server.requests.map(\.body) == [content, content, Data()])
        #expect(
            server.requests.map { $0.values("Content-Length") }
                == [["300000"], ["300000"], ["0"]])
    }

    // MARK: What is returned

    @Test(arguments: stacks)
    func theAnswerIsDecoded(_ stack: String) async throws {
        let server = try LoopbackServer(script: [.json(#"{"id":1,"name":"Ann"}"#)])
        let (url, api) = (server.url.absoluteString, try API.over(stack))
        let form = MultipartForm()
        let user: User = try await api.upload(url: url, form: form, debug: false)
        #expect(user == User(id: 1, name: "Ann"))
        let text: String = try await api.upload(url: url, form: form, debug: false)
        #expect(text == #"{"id":1,"name":"Ann"}"#)
        let optional: User? = try await api.upload(url: url, form: form, debug: false)
        #expect(optional == user)
        try await api.upload(url: url, form: form, debug: false)
        // A form without a part has its closing line all the same.
        #expect(
            server.requests.map(\.bodyText)
                == Array(
                    repeating: "--\(form.boundary)--\r\n", count: 4))
    }

    @Test @MainActor func aMainActorModelIsReadOnItsActor() async throws {
        let server = try LoopbackServer(script: [.json(#"{"name":"Ann"}"#)])
        let api = API(transport: standardStack())
        let profile: Profile = try await api.upload(
            url: server.url.absoluteString, form: MultipartForm(), debug: false)
        #expect(profile.name == "Ann")
        let other: Profile? = try await api.upload(
            url: server.url.absoluteString, body: .data(Data("a".utf8)), debug: false)
        #expect(other?.name == "Ann")
    }

    @Test(arguments: stacks)
    func aStatusOutside2xxIsAnError(_ stack: String) async throws {
        let server = try LoopbackServer(script: [.json(#"{"error":"no"}"#, status: 422)])
        let error = await #expect(throws: HTTPStatusError.self) {
            try await API.over(stack).upload(
                url: server.url.absoluteString, form: MultipartForm(), debug: false)
        }
        #expect(error?.status == 422)
        #expect(error?.body == Data(#"{"error":"no"}"#.utf8))
    }

    // MARK: What can't be sent

    // O-16
    @Test(arguments: stacks)
    func aFileThatIsMissingIsNamedAndNothingIsSent(_ stack: String) async throws {
        let server = try LoopbackServer(script: [.text("ok")])
        let (url, api) = (server.url.absoluteString, try API.over(stack))
        let missing = folder.url.appendingPathComponent("nope.bin")
        for file in [missing, folder.url] {
            var form = MultipartForm()
            form.field("a", "1")
            form.file("f", url: file)
            let error = await #expect(throws: MultipartError.self) {
                try await api.upload(url: url, form: form, debug: false)
            }
            #expect(error?.kind == .file)
            #expect(error?.path == file.path)
            #expect(error.map(userMessage(for:))?.contains(file.path) == true)
        }
        let error = await #expect(throws: URLError.self) {
            try await api.upload(url: url, body: .file(missing), debug: false)
        }
        #expect(error?.code == .fileDoesNotExist)
        #expect(server.acceptCount == 0)
    }

    @Test(arguments: stacks)
    func aFileThatChangedSinceItWasAddedIsAnErrorAndNothingIsSent(_ stack: String) async throws {
        let server = try LoopbackServer(script: [.text("ok")])
        let file = try folder.file("a.txt", Data("12345".utf8))
        var form = MultipartForm()
        form.file("f", url: file)
        try Data("123".utf8).write(to: file)
        let error = await #expect(throws: MultipartError.self) {
            try await API.over(stack).upload(
                url: server.url.absoluteString, form: form, debug: false)
        }
        #expect(error?.kind == .fileChanged)
        #expect(server.acceptCount == 0)
    }

    @Test func aNameThatNoPartMayCarryIsAnErrorAndNothingIsSent() async throws {
        let recorder = Recorder()
        var form = MultipartForm()
        form.file("f", data: Data(), filename: "a", mime: "text/plain\r\nX: 1")
        let error = await #expect(throws: MultipartError.self) {
            try await API(transport: recorder).upload(
                url: "http://h.net/", form: form, debug: false)
        }
        #expect(error?.kind == .header)
        #expect(recorder.requests.isEmpty)
    }
}
