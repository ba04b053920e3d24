// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import FoundationNetworking
import HTTPActor
import HTTPEndpoints
import TestSupport

extension InjectionTests.Place {
    static let all = actor + requests + endpoints + forms + credentials

    // MARK: The actor

    private static let actor: [InjectionTests.Place] = [
        InjectionTests.Place(
            name: "API url, path",
            send: { text, url, api in
                try await api.request(url: "\(url)/\(text)", method: .get, debug: false)
            }, isURL: true),
        InjectionTests.Place(
            name: "API url, query",
            send: { text, url, api in
                try await api.request(url: "\(url)?q=\(text)", method: .get, debug: false)
            }, isURL: true),
        InjectionTests.Place(
            name: "API url, all of it",
            send: { text, _, api in
                try await api.request(url: text, method: .get, debug: false)
            }, isURL: true),
        InjectionTests.Place(
            name: "API method name",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: HTTPMethod(rawValue: text), debug: false)
            }, arrived: { $0.method }),
        InjectionTests.Place(
            name: "API header name",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: .get, headers: [text: "v"], debug: false)
            }, arrived: { request in request.fields.first { $0.value == "v" }?.name.lowercased() },
            rule: { $0.lowercased() }),
        InjectionTests.Place(
            name: "API header value",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: .get, headers: ["X-Text": text], debug: false)
            }, arrived: { $0.first("X-Text") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "API path parameter",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)/{id}/end", method: .get, pathParams: ["id": text], debug: false)
            }, arrived: { segment($0, 2) }),
        InjectionTests.Place(
            name: "API path parameter's name",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)/{id}", method: .get, pathParams: ["id": "v", text: "w"],
                    debug: false)
            }),
        InjectionTests.Place(
            name: "API body's Content-Type",
            send: { text, url, api in
                let body = RawBody(data: Data("b".utf8), contentType: text)
                try await api.request(url: "\(url)", method: .post, body: body, debug: false)
            }, arrived: { $0.first("Content-Type") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "API form's value",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: .post, body: .form(["f": text]), debug: false)
            }, arrived: { formValue($0.bodyText) }),
        InjectionTests.Place(
            name: "API form's name",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: .post, body: .form([(text, "v")]), debug: false)
            },
            arrived: {
                formValue($0.bodyText.split(separator: "=").reversed().joined(separator: "="))
            }
        ),
        InjectionTests.Place(
            name: "API JSON",
            send: { text, url, api in
                try await api.request(
                    url: "\(url)", method: .post, body: jsonBody([text]), debug: false)
            }, arrived: { try? JSONDecoder().decode([String].self, from: $0.body).first }),
        InjectionTests.Place(
            name: "API upload's Content-Type",
            send: { text, url, api in
                try await api.upload(
                    url: "\(url)", body: .data(Data("b".utf8)),
                    contentType: ContentType(rawValue: text), debug: false)
            }, arrived: { $0.first("Content-Type") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "API download's header value",
            send: { text, url, api in
                let folder = try Folder()
                try await api.download(
                    url: "\(url)", to: folder.url.appendingPathComponent("f"),
                    headers: ["X-Text": text], debug: false)
            }, arrived: { $0.first("X-Text") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "API stream's header value",
            send: { text, url, api in
                let answer = try await api.stream(
                    url: "\(url)", headers: ["X-Text": text], debug: false)
                _ = try await answer.data()
            }, arrived: { $0.first("X-Text") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "API events' path parameter",
            send: { text, url, api in
                let events = try api.events(
                    url: "\(url)/{id}/end", pathParams: ["id": text], reconnects: 0, debug: false)
                for try await _ in events {}
            }, arrived: { segment($0, 2) }),
        InjectionTests.Place(
            name: "API certificate's password and hosts",
            send: { text, url, _ in
                let api = API(transport: CurlTransport().standard())
                await api.setupCertification(certData: Data(), password: text, hosts: [text])
                try await api.request(url: "\(url)", method: .get, debug: false)
            }),
    ]

    // MARK: Requests, as both styles send them

    private static let requests: [InjectionTests.Place] = [
        InjectionTests.Place(
            name: "URLRequest method name",
            send: { text, url, _ in
                try await load(URLRequest(method: HTTPMethod(rawValue: text), url: url))
            }),
        InjectionTests.Place(
            name: "setHeader name",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                try request.setHeader(text, "v")
                try await load(request)
            }, arrived: { request in request.fields.first { $0.value == "v" }?.name.lowercased() },
            rule: { $0.lowercased() }),
        InjectionTests.Place(
            name: "setHeader value",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                try request.setHeader("X-Text", text)
                try await load(request)
            }, arrived: { $0.first("X-Text") ?? "" }, rule: trimmed),
        InjectionTests.Place(
            name: "allHTTPHeaderFields name",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                request.allHTTPHeaderFields = [text: "v"]
                try await load(request)
            }),
        InjectionTests.Place(
            name: "allHTTPHeaderFields value",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                request.allHTTPHeaderFields = ["X-Text": text]
                try await load(request)
            }),
        InjectionTests.Place(
            name: "setHeaderAccept",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                request.setHeaderAccept(ContentType(rawValue: text))
                try await load(request)
            }),
        InjectionTests.Place(
            name: "setHeaderContentType",
            send: { text, url, _ in
                var request = URLRequest(method: .post, url: url)
                request.setHeaderContentType(ContentType(rawValue: text))
                request.httpBody = Data("b".utf8)
                try await load(request)
            }),
        InjectionTests.Place(
            name: "appendingGetParameters value",
            send: { text, url, _ in
                try await load(URLRequest(url: url.appendingGetParameters(["q": text])))
            }, arrived: { formValue(String($0.target.drop { $0 != "?" }.dropFirst())) }),
        InjectionTests.Place(
            name: "appendingGetParameters name",
            send: { text, url, _ in
                try await load(URLRequest(url: url.appendingGetParameters([(text, "v")])))
            },
            arrived: { request in
                let query = request.target.drop { $0 != "?" }.dropFirst()
                return String(query.dropLast(2)).percentDecoded
            }),
        InjectionTests.Place(
            name: "appendingRelative",
            send: { text, url, _ in
                try await load(URLRequest(url: url.appendingRelative(text)))
            }, isURL: true),
        InjectionTests.Place(
            name: "URLTemplate value",
            send: { text, url, _ in
                let template = URLTemplate("\(url)/{id}/end?q={id}")
                try await load(URLRequest(url: template.url(filling: ["id": text])))
            }, arrived: { segment($0, 2) }),
        InjectionTests.Place(
            name: "URLTemplate text",
            send: { text, url, _ in
                try await load(URLRequest(url: URLTemplate("\(url)/\(text)").url()))
            }, isURL: true),
        InjectionTests.Place(
            name: "secretHeaders",
            send: { text, url, _ in
                var request = HTTPRequest(URLRequest(url: url))
                request.options.secretHeaders = [text]
                _ = try await CurlTransport().standard().send(request).data()
            }),
    ]

    // MARK: Endpoints

    private static let endpoints: [InjectionTests.Place] = [
        InjectionTests.Place(
            name: "StatefulEndpoint header value",
            send: { text, url, _ in
                var request = URLRequest(url: url)
                try request.setHeader("X-Text", text)
                let endpoint = StatefulEndpoint(
                    endpoint: Endpoint(request: request) { data, _ in data ?? Data() },
                    transport: CurlTransport().standard())
                await endpoint.reload()
                if case .failure(let error) = endpoint.state { throw error }
            }, arrived: { $0.first("X-Text") ?? "" }, rule: trimmed)
    ]

    private static func load(_ request: URLRequest) async throws {
        let endpoint = Endpoint(request: request) { data, _ in data ?? Data() }
        _ = try await endpoint.load(on: CurlTransport().standard())
    }

    /// Blanks around a header field's value are no part of it.
    @Sendable static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    private static func segment(_ request: LoopbackServer.Request, _ number: Int) -> String? {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return String(parts[number]).percentDecoded
    }

    /// The value of a form with one pair.
    private static func formValue(_ text: String) -> String? {
        guard !text.contains("&"), text.split(separator: "=").count <= 2 else { return nil }
        return text.drop { $0 != "=" }.dropFirst()
            .replacingOccurrences(of: "+", with: " ").percentDecoded
    }
}
#endif
