// SPDX-License-Identifier: MIT

/// The name and file name of a part, as `Content-Disposition` carries them.
///
/// ```
/// form-data; name="data"; filename="my %22draft%22.pdf"
/// ```
struct ContentDisposition: Equatable {
    var name: String
    var filename: String?

    /// The header value, never with `filename*`, which RFC 7578 section 4.2 forbids.
    var value: String {
        let start = "form-data; name=\"\(ContentDisposition.escaped(name))\""
        guard let filename else { return start }
        return start + "; filename=\"\(ContentDisposition.escaped(filename))\""
    }
}

extension ContentDisposition {
    /// Reads a header value, nil when it is not `form-data` with a name, RFC 7578 section 4.2.
    init?(_ value: ArraySlice<UInt8>) {
        guard let header = HeaderParameters(value), header.value == "form-data",
            let name = header.parameters["name"]
        else { return nil }
        self.name = ContentDisposition.unescaped(name)
        self.filename = header.parameters["filename"].map(ContentDisposition.unescaped)
    }

    /// Returns a name as browsers write it, WHATWG HTML section 4.10.22.8.
    ///
    /// Every CR, LF and CRLF is a CRLF first; then CR, LF and `"` are escaped, and nothing else. The
    /// standard leaves out the first step for a file name; here both kinds of names have one rule.
    static func escaped(_ name: String) -> String {
        var escaped = ""
        var last: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            switch (last, scalar) {
            case ("\r", "\n"): break
            case (_, "\r"), (_, "\n"): escaped += "%0D%0A"
            case (_, "\""): escaped += "%22"
            default: escaped.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return escaped
    }

    /// Returns the name that was escaped: `%22`, `%0D` and `%0A` are decoded, nothing else.
    static func unescaped(_ text: String) -> String {
        let codes: [String: UInt8] = ["22": 0x22, "0D": 0x0D, "0d": 0x0D, "0A": 0x0A, "0a": 0x0A]
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let decoded = codes[code] {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
