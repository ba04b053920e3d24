// SPDX-License-Identifier: MIT

public import Foundation

/// A `multipart/form-data` body: fields, data and files, read from disk as it is sent.
///
/// ```swift
/// var form = MultipartForm()
/// form.field("title", "Summer")
/// form.file("photo", url: photoURL)
///
/// var request = URLRequest(url: url)
/// request.httpMethod = "POST"
/// request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
/// request.httpBodyStream = form.inputStream()
/// ```
///
/// sends these bytes, each line ended by CRLF (WHATWG HTML section 4.10.22.8, RFC 7578):
///
/// ```
/// --duet-V5nqDKvPTzYdZrWqfT0cKs2u
/// Content-Disposition: form-data; name="title"
///
/// Summer
/// --duet-V5nqDKvPTzYdZrWqfT0cKs2u
/// Content-Disposition: form-data; name="photo"; filename="beach.heic"
/// Content-Type: image/heic
///
/// …
/// --duet-V5nqDKvPTzYdZrWqfT0cKs2u--
/// ```
///
/// A form is a value: a copy is cheap and changes alone. Adding to it never fails; what is wrong
/// with a name, a type, a header or a file is thrown when the form is read, before its first byte.
///
/// > Important: A file is measured when it is added, and has to have that size when it is read:
/// > ``contentLength`` and the bytes then always agree. Add a file that has changed once more.
public struct MultipartForm: Sendable {
    private(set) var parts: [Part] = []
    private var boundaryValue = Boundary.random()
    private var problem: MultipartError?
    private let boundarySource: @Sendable () -> String

    /// Creates an empty form with a random boundary.
    public init() {
        boundarySource = { Boundary.random().text }
    }

    /// Creates an empty form whose boundary comes from a source, for bytes that repeat.
    ///
    /// The source is asked again, up to 16 times, when its boundary is not one that RFC 2046
    /// section 5.1.1 allows, and when a part in memory holds it. Then reading the form throws.
    ///
    /// - Parameter boundarySource: Returns 1 to 70 legal characters, better different ones.
    public init(boundarySource: @escaping @Sendable () -> String) {
        self.boundarySource = boundarySource
        renewBoundary()
    }

    /// The string between the parts, which changes when a part in memory is added that holds it.
    public var boundary: String { boundaryValue.text }

    /// The value for the header field `Content-Type`, read after the last part was added.
    ///
    /// ```
    /// multipart/form-data; boundary=duet-V5nqDKvPTzYdZrWqfT0cKs2u
    /// ```
    public var contentType: String {
        "multipart/form-data; boundary=" + boundaryValue.parameterValue
    }

    /// The exact length in bytes, found without reading a file.
    ///
    /// It is nil when a file cannot be measured: a pipe, a device, or one that is not there.
    public var contentLength: Int64? {
        length(sizes: parts.map { $0.file?.size })
    }

    /// Adds a text field, whose value is sent as UTF-8, as given: its line ends too, which browsers turn
    /// into CRLF.
    ///
    /// - Parameters:
    ///   - name: The name. Quotes and line ends are escaped as browsers do.
    ///   - value: The text.
    public mutating func field(_ name: String, _ value: String) {
        part(name, data: Data(value.utf8))
    }

    /// Adds a part without a file name, such as a JSON document that an API wants typed.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - data: The content.
    ///   - mime: The MIME type; nil sends none, as for a field. Some servers take a typed part
    ///     for a file.
    ///   - headers: More header fields for the part, sent in the order of their names.
    public mutating func part(
        _ name: String,
        data: Data,
        mime: String? = nil,
        headers: [String: String] = [:]
    ) {
        add(ContentDisposition(name: name), mime, headers, .data(data))
    }

    /// Adds a file from memory.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - data: The content.
    ///   - filename: The file name to send.
    ///   - mime: The MIME type; nil takes the one for the file name's extension, else
    ///     `application/octet-stream`.
    ///   - headers: More header fields for the part, sent in the order of their names.
    public mutating func file(
        _ name: String,
        data: Data,
        filename: String,
        mime: String? = nil,
        headers: [String: String] = [:]
    ) {
        let disposition = ContentDisposition(name: name, filename: filename)
        add(disposition, MIMEType.of(filename, given: mime), headers, .data(data))
    }

    /// Adds a file on disk, which is measured now and read when the form is.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - url: The file's URL. The file stays where it is.
    ///   - filename: The file name to send; nil takes the URL's.
    ///   - mime: The MIME type; nil takes the one for the extension of the file name sent, else
    ///     `application/octet-stream`.
    ///   - headers: More header fields for the part, sent in the order of their names.
    public mutating func file(
        _ name: String,
        url: URL,
        filename: String? = nil,
        mime: String? = nil,
        headers: [String: String] = [:]
    ) {
        let filename = filename ?? url.lastPathComponent
        let disposition = ContentDisposition(name: name, filename: filename)
        add(disposition, MIMEType.of(filename, given: mime), headers, .file(FileSource(url)))
    }

    /// Checks everything that reading the form would check first, without reading a file.
    ///
    /// Call it before connecting, so that a missing file costs no request.
    ///
    /// - Throws: ``MultipartError`` with the kind `header`, `boundary`, `file` or `fileChanged`.
    public func validate() throws(MultipartError) {
        _ = try validatedSizes()
    }
}

extension MultipartForm: CustomStringConvertible {
    /// The number of parts and bytes, without names or values: those may be secrets.
    public var description: String {
        let length = contentLength.map { "\($0) bytes" } ?? "unknown length"
        return "multipart/form-data (parts: \(parts.count), \(length))"
    }
}

extension MultipartForm {
    /// Returns the size of each file, nil for other parts and for what cannot be measured.
    func validatedSizes() throws(MultipartError) -> [Int64?] {
        if let problem { throw problem }
        return try parts.map { part throws(MultipartError) in try part.file?.validatedSize() }
    }

    /// Returns the length of the whole body, nil when a file has no size.
    func length(sizes: [Int64?]) -> Int64? {
        var length = Int64(delimiter(before: parts.count).count)
        for (index, part) in parts.enumerated() {
            length += Int64(delimiter(before: index).count)
            switch part.content {
            case .data(let data): length += Int64(data.count)
            case .file:
                // Sparse files may add up to more than a length can say.
                guard let size = sizes[index],
                    case (let sum, false) = length.addingReportingOverflow(size)
                else { return nil }
                length = sum
            }
        }
        return length
    }

    /// Returns what stands before a part: the delimiter line and its header, RFC 2046 section 5.1.1.
    ///
    /// - Parameter index: The part; the number of parts for the closing delimiter.
    /// - Returns: The bytes, with the CRLF that ends the part before.
    func delimiter(before index: Int) -> Data {
        let start = (index == 0 ? "--" : "\r\n--") + boundary
        guard index < parts.count else { return Data((start + "--\r\n").utf8) }
        return Data((start + "\r\n").utf8) + parts[index].head
    }

    private mutating func add(
        _ disposition: ContentDisposition,
        _ type: String?,
        _ headers: [String: String],
        _ content: Part.Content
    ) {
        do throws(MultipartError) {
            let part = try Part(disposition, type: type, headers: headers, content: content)
            parts.append(part)
            if part.contains(boundaryValue) { renewBoundary() }
        } catch {
            problem = problem ?? error
        }
    }

    /// RFC 2046 section 5.1.1: the boundary delimiter must not appear inside any of the parts.
    private mutating func renewBoundary() {
        for _ in 0..<16 {
            guard let boundary = Boundary(boundarySource()),
                !parts.contains(where: { $0.contains(boundary) })
            else { continue }
            boundaryValue = boundary
            return
        }
        problem = problem ?? MultipartError(.boundary, "no legal boundary is absent from the parts")
    }
}
