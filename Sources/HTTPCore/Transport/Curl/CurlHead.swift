// SPDX-License-Identifier: MIT

/// Reads the head of a response from the lines that libcurl hands over: a pure value.
///
/// libcurl hands over interim answers (1xx) and trailers by the same way, and takes a head that is cut
/// for a whole one: so a new status line starts over, the head counts when its blank line has come, and
/// what follows is a trailer.
struct CurlHead {
    enum Phase {
        /// Lines of the head, of this one or of an interim one, are still to come.
        case reading
        /// The final head is complete.
        case complete
    }

    /// What a line led to.
    enum Event: Equatable {
        case nothing
        /// The final head is complete.
        case head
        /// The head is longer than a client should hold.
        case tooLong
        /// `Content-Length` is no number, or several.
        case badLength
    }

    /// The most bytes of one head: 300 KiB, as libcurl itself has it from version 8.4 on.
    static let limit = 307_200

    private(set) var phase = Phase.reading
    private(set) var status = 0
    private(set) var fields = HTTPFields()
    private var size = 0

    /// Takes one line, its line end included or not.
    mutating func line(_ bytes: some BidirectionalCollection<UInt8>) -> Event {
        guard phase == .reading else { return .nothing }
        size += bytes.count
        guard size <= Self.limit else { return .tooLong }
        var line = bytes[...]
        while let last = line.last, last == 0x0A || last == 0x0D { line = line.dropLast() }
        if line.isEmpty {
            guard status >= 200 else { return .nothing }
            guard hasUsableLength else { return .badLength }
            phase = .complete
            return .head
        }
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(of: line)
            fields = HTTPFields()
            size = bytes.count
        } else if let first = line.first, first == 0x20 || first == 0x09 {
            fields.fold(Self.text(Self.trimmed(line)))
        } else if let colon = line.firstIndex(of: 0x3A) {
            let value = line[line.index(after: colon)...]
            fields.append(Self.text(Self.trimmed(line[..<colon])), Self.text(Self.trimmed(value)))
        }
        return .nothing
    }

    /// Whether it is clear where the body ends (RFC 9112, section 6.3).
    ///
    /// libcurl takes the first of several numbers, and none for one that is too large.
    private var hasUsableLength: Bool {
        guard fields.values("Transfer-Encoding").isEmpty else { return true }
        let lengths = fields.values("Content-Length").flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map {
                String(Self.trimmed($0.utf8)) ?? ""
            }
        }
        let areNumbers = lengths.allSatisfy { length in
            length.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(length) != nil
        }
        return areNumbers && Set(lengths).count <= 1
    }

    /// The number after the first space: `HTTP/1.1 200 OK`, `HTTP/2 200`.
    private static func status(of line: some Collection<UInt8>) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix {
            (0x30...0x39).contains($0)
        }
        return digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes
    ) -> Bytes.SubSequence {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 {
            bytes = bytes.dropLast()
        }
        return bytes
    }

    /// UTF-8 where it is that, else Latin-1, which no byte is illegal in (RFC 9110, section 5.5).
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
