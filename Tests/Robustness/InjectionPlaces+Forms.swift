// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import TestSupport

/// Places in a form's parts, and in credentials.
extension InjectionTests.Place {
    // MARK: Multipart forms

    static let forms: [InjectionTests.Place] = [
        form("name", { $0.field($1, "v") }, { $0.head.name }, withCRLF),
        form("value", { $0.field("f", $1) }, { String(decoding: $0.data, as: UTF8.self) }),
        form(
            "file's name", { $0.file("f", data: Data(), filename: $1) }, { $0.head.filename },
            withCRLF),
        form(
            "file's MIME type", { $0.file("f", data: Data(), filename: "f", mime: $1) },
            { $0.head.contentType }, trimmed),
        form(
            "part's MIME type", { $0.part("f", data: Data(), mime: $1) },
            { $0.head.contentType }, trimmed),
        form(
            "header's name", { $0.part("f", data: Data(), headers: [$1: "v"]) },
            { part in part.head.fields.first { $0.value == "v" }?.name.lowercased() },
            { $0.lowercased() }),
        form(
            "header's value",
            { $0.file("f", data: Data(), filename: "f", mime: "a/b", headers: ["X-Text": $1]) },
            { part in part.head.fields.first { $0.name == "X-Text" }?.value }, trimmed),
        form(
            "boundary",
            { form, text in
                form = MultipartForm { text }
                form.field("f", "v")
            }, { String(decoding: $0.data, as: UTF8.self) }, { _ in "v" }),
    ]

    private static func form(
        _ name: String, _ add: @escaping @Sendable (inout MultipartForm, String) -> Void,
        _ read: @escaping @Sendable (MultipartPart) -> String?,
        _ rule: @escaping @Sendable (String) -> String = { $0 }
    ) -> InjectionTests.Place {
        InjectionTests.Place(
            name: "form's \(name)",
            send: { text, url, api in
                var form = MultipartForm()
                add(&form, text)
                try await api.upload(url: "\(url)", form: form, debug: false)
            },
            arrived: { request in
                let type = request.first("Content-Type") ?? ""
                let parts = try? MultipartPart.parts(of: request.body, contentType: type)
                guard let part = parts?.first, parts?.count == 1 else { return nil }
                return part.head.fields.count <= 3 ? read(part) : nil
            },
            rule: rule)
    }

    /// In a name of a form, each line end is CRLF; who reads it can't tell an escape from what looks like one.
    @Sendable private static func withCRLF(_ text: String) -> String {
        text.replacingOccurrences(of: "%0d%0a", with: "\r\n")
            .replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: "\r", with: "\n").replacingOccurrences(of: "\n", with: "\r\n")
    }

    // MARK: Credentials

    static let credentials: [InjectionTests.Place] = [
        InjectionTests.Place(
            name: "Basic user",
            send: { text, url, _ in
                try await get(
                    url, CurlTransport().authenticating(user: text, password: "p", for: url))
            }, arrived: { basic($0)?.user }),
        InjectionTests.Place(
            name: "Basic password",
            send: { text, url, _ in
                try await get(
                    url, CurlTransport().authenticating(user: "u", password: text, for: url))
            }, arrived: { basic($0)?.password }),
        InjectionTests.Place(
            name: "bearer token",
            send: { text, url, _ in
                let source = TokenSource(for: url, startingWith: BearerToken(text)) { _ in
                    BearerToken("another")
                }
                try await get(url, CurlTransport().authenticating(with: source))
            },
            arrived: { request in
                request.first("Authorization").map { String($0.dropFirst("Bearer ".count)) }
            }, rule: trimmed),
    ]

    private static func get(_ url: URL, _ transport: some HTTPTransport) async throws {
        _ = try await transport.send(HTTPRequest(URLRequest(url: url))).data()
    }

    private static func basic(
        _ request: LoopbackServer.Request
    ) -> (user: String, password: String)? {
        let code = request.first("Authorization")?.dropFirst("Basic ".count) ?? ""
        let text = String(decoding: Data(base64Encoded: String(code)) ?? Data(), as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
#endif
