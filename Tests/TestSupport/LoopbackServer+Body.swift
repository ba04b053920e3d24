// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackServer {
    /// Where in the body of a request the reader is.
    enum Framing: Equatable {
        case length(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case done

        init(_ request: Request) throws(Ending) {
            let lengths = Set(request.values("Content-Length"))
            let codings = request.values("Transfer-Encoding")
            switch (lengths.first, codings.first) {
            case (nil, nil):
                self = .done
            case (let text?, nil):
                // `Int` alone would accept a sign.
                guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let length = Int(text)
                else { throw .refused("malformed Content-Length") }
                self = length == 0 ? .done : .length(left: length)
            case (nil, let coding?):
                guard codings.count == 1, coding.lowercased() == "chunked" else {
                    throw .refused("unknown Transfer-Encoding")
                }
                self = .chunkSize
            default:
                throw .refused("both Content-Length and Transfer-Encoding")
            }
        }
    }

    /// A request and how far the server got with it.
    struct Exchange {
        var request: Request
        var framing: Framing
        /// Whether the client waits for `100 Continue` and nothing was sent yet.
        var owesContinue: Bool
        /// The index of the request in the record, once it is there.
        var index: Int?

        init(_ request: Request, framing: Framing) {
            self.request = request
            self.framing = framing
            owesContinue = request.expectsContinue
            self.request.bodyIsComplete = framing == .done
        }

        mutating func update(_ change: (inout Request) -> Void) {
            change(&request)
        }
    }
}

extension LoopbackServer.Connection {
    private static var longestHead: Int { 1 << 20 }

    /// Reads through the blank line.
    mutating func readHead() throws(LoopbackServer.Ending) -> [UInt8] {
        try readThrough([0x0D, 0x0A, 0x0D, 0x0A], limit: Self.longestHead)
    }

    /// Adds the current request to the record.
    mutating func record() {
        guard core.recordsRequests, let request = current?.request else { return }
        current?.index = core.update { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
    }

    /// Changes the current request, in the record if it is there already.
    mutating func updateRequest(_ change: (inout LoopbackServer.Request) -> Void) {
        if let index = current?.index {
            core.update { change(&$0.requests[index]) }
        } else {
            current?.update(change)
        }
    }

    /// Reads the body, or so much of it, and adds it to the current request.
    mutating func readBody(limit: Int = .max) throws(LoopbackServer.Ending) {
        guard var framing = current?.framing, framing != .done else { return }
        if current?.owesContinue == true {
            try send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        var wanted = limit
        while framing != .done, wanted > 0 {
            framing = try readPiece(framing, wanted: &wanted)
            current?.framing = framing
            if framing == .done { updateRequest { $0.bodyIsComplete = true } }
        }
    }

    private mutating func readPiece(
        _ framing: LoopbackServer.Framing,
        wanted: inout Int
    ) throws(LoopbackServer.Ending) -> LoopbackServer.Framing {
        switch framing {
        case .length(let left):
            let rest = left - (try take(min(left, wanted), wanted: &wanted))
            return rest == 0 ? .done : .length(left: rest)
        case .chunk(let left):
            let rest = left - (try take(min(left, wanted), wanted: &wanted))
            return rest == 0 ? .chunkEnd : .chunk(left: rest)
        case .chunkEnd:
            guard try readLine().isEmpty else { throw .refused("chunk longer than its size") }
            return .chunkSize
        case .chunkSize:
            let line = try readLine()
            let digits = line.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
            let text = LoopbackServer.Request.text(digits)
            // The first digit is checked since `Int` would accept a sign.
            guard text.first?.isHexDigit == true, let size = Int(text, radix: 16) else {
                throw .refused("malformed chunk size")
            }
            return size == 0 ? .trailers : .chunk(left: size)
        case .trailers:
            return try readLine().isEmpty ? .done : .trailers
        case .done:
            return .done
        }
    }

    /// Moves up to that many bytes, at least one, from the connection to the current request.
    private mutating func take(
        _ count: Int,
        wanted: inout Int
    ) throws(LoopbackServer.Ending) -> Int {
        while buffer.isEmpty { _ = try fill() }
        let bytes = buffer.prefix(count)
        buffer.removeFirst(bytes.count)
        updateRequest { $0.body.append(contentsOf: bytes) }
        wanted -= bytes.count
        return bytes.count
    }

    private mutating func readLine() throws(LoopbackServer.Ending) -> [UInt8] {
        try readThrough([0x0D, 0x0A], limit: 8192).dropLast(2)
    }

    private mutating func readThrough(
        _ end: [UInt8],
        limit: Int
    ) throws(LoopbackServer.Ending) -> [UInt8] {
        var searched = 0
        while true {
            var index = searched
            while index + end.count <= buffer.count {
                if buffer[index] == end[0], buffer[index..<(index + end.count)].elementsEqual(end) {
                    let bytes = Array(buffer[..<(index + end.count)])
                    buffer.removeFirst(bytes.count)
                    return bytes
                }
                index += 1
            }
            searched = index
            guard buffer.count <= limit else { throw .refused("line or head too long") }
            _ = try fill()
        }
    }
}
