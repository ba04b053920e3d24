// SPDX-License-Identifier: MIT

/// Reads the head of a response from the lines that libcurl hands over: a pure value.
///
/// libcurl hands over interim answers (1xx) and trailers by the same way, and takes a head that is cut
/// for a whole one: so a new status line starts over, the head counts when its blank line has come, and
/// what follows is a trailer.
struct CurlHead {
    /// What a line led to.
    enum Event: Equatable {
        case nothing
        /// The final head is complete.
        case head
        /// No head that a client should take, and why.
        case refused(String)
    }

    /// The most bytes of one head: 300 KiB, as libcurl itself has it from version 8.4 on.
    static let limit = 307_200

    /// Whether the final head is complete.
    private(set) var isComplete = false
    private(set) var status = 0
    private(set) var isHTTP1 = false
    private(set) var fields = HTTPFields()
    private var size = 0

    /// Takes one line, its line end included or not.
    mutating func line(_ bytes: some BidirectionalCollection<UInt8>) -> Event {
        size += bytes.count
        guard size <= Self.limit else {
            return .refused("The head of the answer is longer than \(Self.limit) bytes.")
        }
        guard !isComplete else { return .nothing }
        var line = bytes[...]
        while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
        if line.isEmpty {
            guard status >= 200 else { return .nothing }
            guard hasUsableLength else {
                return .refused("The length of the answer can't be told.")
            }
            isComplete = true
            return .head
        }
        if line.starts(with: "HTTP/".utf8) {
            self = CurlHead()
            isHTTP1 = line.starts(with: "HTTP/1".utf8)
            status = Self.number(line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(4))
            size = bytes.count
        } else if let first = line.first, first == 0x20 || first == 0x09 {
            fields.fold(Self.text(Self.trimmed(line)))
        } else if let colon = line.firstIndex(of: 0x3A) {
            let value = line[line.index(after: colon)...]
            fields.append(Self.text(Self.trimmed(line[..<colon])), Self.text(Self.trimmed(value)))
        }
        return .nothing
    }

    /// RFC 9112, section 6.3: a length that is no number, or several that differ, can't be trusted, nor a
    /// transfer coding that nobody asked for (section 6.1), whose end libcurl would not see.
    private var hasUsableLength: Bool {
        if let coding = fields["Transfer-Encoding"] { return coding.lowercased() == "chunked" }
        guard let text = fields["Content-Length"] else { return true }
        if Int64(text) != nil, text.utf8.allSatisfy(Self.isDigit) { return true }
        let lengths = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Self.text(Self.trimmed($0.utf8)) }
        return Set(lengths).count == 1 && lengths[0].first?.isNumber == true
            && Int64(lengths[0]) != nil
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int {
        digits.prefix(while: isDigit).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes
    ) -> Bytes.SubSequence {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// UTF-8 where it is that, else Latin-1, which no byte is illegal in (RFC 9110, section 5.5).
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.allSatisfy({ $0 < 0x80 }) { return text }
        // Decoding replaces what is not legal.
        return text.utf8.elementsEqual(bytes)
            ? text : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
