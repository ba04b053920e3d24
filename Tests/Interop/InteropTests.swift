// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPActor
import TestSupport
import Testing

/// Forms are uploaded to servers that read them with the parsers of Python's web frameworks, which say
/// what they saw.
@Suite(
    .enabled(
        if: PythonServer.isInstalled,
        "Python's parsers are not in .build/interop. On Linux, Scripts/test installs them."),
    .timeLimit(.minutes(5))
)
struct InteropTests {
    /// A part as a server saw it.
    private struct Seen: Decodable, Hashable {
        let name: String
        let filename: String?
        let type: String?
        let content: Data
    }

    @Test(arguments: Parser.allCases)
    func eachFormIsReadAsItIs(parser: Parser) async throws {
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("parsers.py")
        let server = try PythonServer(script, parser.rawValue)
        let api = API(transport: .default)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DuetTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for sample in try SampleForm.all(in: folder) {
            let seen: [Seen] = try await api.upload(
                url: server.url.absoluteString, form: sample.form, debug: false)
            // Some keep fields and files apart, so that their order is not known.
            let expected = sample.parts.compactMap { part -> Seen? in
                let filename = part.filename.map(parser.filename)
                if let filename, parser.drops(filename) { return nil }
                return Seen(
                    name: parser.name(part.name), filename: filename, type: part.type,
                    content: part.content)
            }
            let difference = Set(seen).symmetricDifference(expected)
                .map { "\($0.name) \($0.filename ?? "-") \($0.type ?? "-") \($0.content.count)" }
            #expect(difference == [], "\(sample.name)")
            #expect(seen.count == expected.count, "\(sample.name)")
        }
    }
}

/// A parser, and what it makes of names: none changes a content.
enum Parser: String, CaseIterable, Sendable {
    case werkzeug, django, starlette, aiohttp

    /// The name of a field, from what a browser would send.
    func name(_ name: String) -> String {
        switch self {
        case .django: name.asSent.trimmingCharacters(in: .whitespaces)
        default: quoted(name.asSent)
        }
    }

    /// The name of a file.
    func filename(_ filename: String) -> String {
        let text = quoted(filename.asSent)
        switch self {
        case .werkzeug: return text
        case .django:
            // The last part of a path, without what Python says can't be printed, at most 255 characters.
            let last =
                text.unicodeScalars.split(omittingEmptySubsequences: false) {
                    $0 == "/" || $0 == "\\"
                }.last ?? [][...]
            let hidden: Set<Unicode.Scalar> = ["\u{200D}", "\t"]
            return String(
                String.UnicodeScalarView(last.filter { !hidden.contains($0) }.prefix(255)))
        case .starlette:
            // The last part of a path on Windows.
            guard text.dropFirst().hasPrefix(":\\") else { return text }
            return text.split(separator: "\\").last.map(String.init) ?? ""
        case .aiohttp: return String(text.drop { $0 == "/" || $0 == "\\" })
        }
    }

    /// What the backslash does in a quoted string: it is sent as it is, as browsers do.
    private func quoted(_ text: String) -> String {
        switch self {
        case .werkzeug: text.withoutEscapes.replacingOccurrences(of: "%22", with: "\"")
        case .aiohttp: text.withoutEscapes
        case .django, .starlette: text.replacingOccurrences(of: #"\\"#, with: #"\"#)
        }
    }

    /// Whether a file of that name counts as none.
    func drops(_ filename: String) -> Bool {
        self == .django && ["", ".", ".."].contains(filename)
    }
}

extension String {
    /// As the HTML standard has names sent: line ends are CRLF, and three characters are escaped.
    fileprivate var asSent: String {
        replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
            .replacingOccurrences(of: "\n", with: "%0D%0A")
            .replacingOccurrences(of: "\"", with: "%22")
    }

    fileprivate var withoutEscapes: String {
        replacingOccurrences(
            of: #"\\(.)"#, with: "$1", options: .regularExpression)
    }
}
#endif
