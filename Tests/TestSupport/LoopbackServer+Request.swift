// SPDX-License-Identifier: MIT

public import Foundation

extension LoopbackServer {
    /// A request as it arrived, byte for byte where that matters.
    public struct Request: Sendable {
        /// The method, such as `GET`.
        public let method: String
        /// The request target exactly as sent, such as `/a%2Fb?q=1`.
        public let target: String
        /// The version, such as `HTTP/1.1`.
        public let version: String
        /// The header fields in order, names in the case received, values without outer blanks.
        public let fields: [(name: String, value: String)]
        /// The raw bytes of the head, through the blank line.
        public let head: Data
        /// The body without its chunked framing; empty while no step has read it.
        public internal(set) var body = Data()
        /// Whether the body was read to its end.
        public internal(set) var bodyIsComplete = false
        /// How many bytes a `drain` step threw away.
        public internal(set) var drained = 0
        /// The number of the connection: 0, 1, 2 … in order of accept.
        public let connection: Int

        /// The values of every field of that name, in order; the case of the name is ignored.
        public func values(_ name: String) -> [String] {
            let name = name.lowercased()
            return fields.filter { $0.name.lowercased() == name }.map(\.value)
        }

        /// The value of the first field of that name; the case of the name is ignored.
        public func first(_ name: String) -> String? {
            values(name).first
        }

        /// The head as text.
        public var headText: String {
            Self.text(head)
        }

        /// The body as text.
        public var bodyText: String {
            Self.text(body)
        }

        /// The target without the query.
        public var path: String {
            String(target.prefix { $0 != "?" })
        }

        /// UTF-8 where it is, else Latin-1, which every byte sequence is.
        static func text(_ bytes: some Sequence<UInt8>) -> String {
            let bytes = Array(bytes)
            // Foundation's `String(data:encoding:)` leaves a byte order mark out.
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.utf8.elementsEqual(bytes) else { return text }
            return String(data: Data(bytes), encoding: .isoLatin1) ?? ""
        }
    }
}

extension LoopbackServer.Request {
    /// Reads a head that ends in a blank line.
    ///
    /// Strict on purpose: a client that is only understood by a lenient server has a fault.
    init(head bytes: [UInt8], connection: Int) throws(LoopbackServer.Ending) {
        // The last four bytes end the last line and make the blank one.
        var lines = Self.lines(bytes.dropLast(4))
        let start = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
        guard start.count == 3, !start[0].isEmpty, !start[1].isEmpty else {
            throw .refused("malformed request line")
        }
        version = Self.text(start[2])
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .refused("unknown version")
        }
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else {
                throw .refused("field line without a name")
            }
            let name = line[..<colon]
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            guard !name.contains(where: { isBlank($0) || $0 < 0x20 }) else {
                throw .refused("field name with a blank")
            }
            let value = line[line.index(after: colon)...].drop(while: isBlank)
            guard !value.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                throw .refused("field value with a control character")
            }
            let kept = value.lastIndex { !isBlank($0) }.map { value[...$0] } ?? []
            fields.append((Self.text(name), Self.text(kept)))
        }
        method = Self.text(start[0])
        target = Self.text(start[1])
        self.fields = fields
        head = Data(bytes)
        self.connection = connection
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.indices.dropLast().first(where: {
            rest[$0] == 0x0D && rest[$0 + 1] == 0x0A
        }) {
            lines.append(rest[..<end])
            rest = rest[(end + 2)...]
        }
        return lines + [rest]
    }

    /// Whether the client wants the connection closed after the answer.
    var wantsClose: Bool {
        let options = values("Connection").joined(separator: ",").lowercased()
        return options.range(of: "close") != nil
            || (version == "HTTP/1.0" && options.range(of: "keep-alive") == nil)
    }

    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue: Bool {
        version == "HTTP/1.1" && first("Expect")?.lowercased() == "100-continue"
    }
}
