// SPDX-License-Identifier: MIT

public import Foundation

extension LoopbackServer {
    /// One thing the server does on a connection.
    public enum Step: Sendable {
        /// Sends exactly these bytes.
        case send(Data)
        /// Sends exactly this text as UTF-8.
        case text(String)
        /// Waits, without reading, until the test opens the gate; ends the connection if the
        /// client closes its side first.
        case wait(Gate)
        /// Waits that many seconds like `wait`; only for tests that need real time.
        case pause(TimeInterval)
        /// Reads the request body to its end and adds it to the record of the request.
        ///
        /// Sends `100 Continue` first if the client expects it and no step has sent anything
        /// (an empty `send` counts, so it keeps the server silent).
        case readBody
        /// Reads up to this many bytes of the body, like `readBody`.
        case readBytes(Int)
        /// Sends FIN and goes on reading.
        case halfClose
        /// Reads and throws away what comes until the client closes or that many seconds passed;
        /// ``Request/drained`` counts the bytes.
        case drain(TimeInterval)
        /// Closes the connection with FIN.
        case close
        /// Closes the connection with RST.
        case reset
        /// Says nothing until the client closes or the server stops; what arrives is thrown away.
        case hold
    }

    /// What the server does about one request.
    public struct Answer: Sendable {
        /// Whether the body is read before the first step.
        ///
        /// Matters for a script and for targets that are answered early; for others the body has
        /// been read when the handler is called.
        public var readsBodyFirst: Bool
        /// What is done, in order.
        public var steps: [Step]
        /// Whether the next request is read after the steps, unless the client asked for a close;
        /// what is left of the body is then read first.
        public var keepsAlive: Bool

        /// Creates an answer from its steps.
        public init(_ steps: [Step], readsBodyFirst: Bool = true, keepsAlive: Bool = true) {
            self.steps = steps
            self.readsBodyFirst = readsBodyFirst
            self.keepsAlive = keepsAlive
        }

        /// Sends exactly this text.
        ///
        /// The connection stays open if the final head in the text has `Content-Length`, chunked
        /// coding or a status without a body, and no `Connection: close`; else FIN ends the body.
        /// The text is not checked against its own `Content-Length`: see ``cut(_:)``.
        public static func raw(_ text: String) -> Answer {
            Answer([.text(text)], keepsAlive: framesItself(text))
        }

        /// Sends exactly this text, however incomplete, and closes with FIN.
        public static func cut(_ text: String) -> Answer {
            Answer([.text(text), .close])
        }

        /// Sends a complete response; `Content-Length` is added if the fields do not frame it.
        public static func respond(
            _ status: Int = 200,
            _ fields: [(String, String)] = [],
            body: Data
        ) -> Answer {
            let names = fields.map { $0.0.lowercased() }
            let isFramed = names.contains("content-length") || names.contains("transfer-encoding")
            let isBodiless = (100..<200).contains(status) || status == 204 || status == 304
            let length = [("Content-Length", "\(body.count)")]
            let all = isFramed || isBodiless ? fields : fields + length
            var answer = bodiless(status, all)
            if !isBodiless { answer.steps.append(.send(body)) }
            // One write: a body in a packet of its own would make tests of timing less exact.
            answer.steps = [.send(answer.steps.reduce(into: Data()) { $0.append($1.bytes) })]
            return answer
        }

        /// Sends a complete response with a text as its body.
        public static func respond(
            _ status: Int = 200,
            _ fields: [(String, String)] = [],
            body: String = ""
        ) -> Answer {
            respond(status, fields, body: Data(body.utf8))
        }

        /// Sends a complete response of type `application/json`.
        public static func json(_ text: String, status: Int = 200) -> Answer {
            respond(status, [("Content-Type", "application/json")], body: text)
        }

        /// Sends a complete response of type `text/plain; charset=utf-8`.
        public static func text(_ text: String, status: Int = 200) -> Answer {
            respond(status, [("Content-Type", "text/plain; charset=utf-8")], body: text)
        }

        /// Sends a head with these fields and nothing else: the answer to a HEAD request.
        public static func bodiless(
            _ status: Int = 200,
            _ fields: [(String, String)] = []
        ) -> Answer {
            let lines = ["HTTP/1.1 \(status) \(reason(status))"] + fields.map { "\($0): \($1)" }
            let closes = fields.contains {
                $0.0.lowercased() == "connection" && $0.1.lowercased() == "close"
            }
            let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
            return Answer([.text(head)], keepsAlive: !closes)
        }
    }
}

extension LoopbackServer.Answer {
    private static func reason(_ status: Int) -> String {
        let known = [
            100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
            301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
            307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
            401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 413: "Content Too Large",
            429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
            503: "Service Unavailable",
        ]
        return known[status] ?? "Status"
    }

    /// Whether a client can tell where the last response in the text ends without a close.
    private static func framesItself(_ text: String) -> Bool {
        var heads = text.components(separatedBy: "\r\n\r\n").map { $0.lowercased() }
        while heads.count > 1, heads[0].hasPrefix("http/1.1 1") { heads.removeFirst() }
        let lines = heads[0].components(separatedBy: "\r\n")
        if lines.contains(where: { $0.hasPrefix("connection:") && $0.hasSuffix("close") }) {
            return false
        }
        return lines[0].hasPrefix("http/1.1 204") || lines[0].hasPrefix("http/1.1 304")
            || lines.contains {
                $0.hasPrefix("content-length:")
                    || ($0.hasPrefix("transfer-encoding:") && $0.hasSuffix("chunked"))
            }
    }
}

extension LoopbackServer.Step {
    /// The bytes the step sends.
    fileprivate var bytes: Data {
        switch self {
        case .send(let data): data
        case .text(let text): Data(text.utf8)
        default: Data()
        }
    }
}
