// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import TestSupport

/// A form and the parts that a server has to see.
struct SampleForm {
    struct Part {
        let name: String
        var filename: String?
        var type: String?
        let content: Data
    }

    let name: String
    private(set) var form = MultipartForm()
    private(set) var parts: [Part] = []

    private init(_ name: String) {
        self.name = name
    }

    private mutating func field(_ name: String, _ value: String) {
        form.field(name, value)
        parts.append(Part(name: name, content: Data(value.utf8)))
    }

    private mutating func file(
        _ name: String, _ filename: String, _ content: Data, _ type: String? = nil
    ) {
        form.file(name, data: content, filename: filename, mime: type)
        let type = type ?? "application/octet-stream"
        parts.append(Part(name: name, filename: filename, type: type, content: content))
    }

    // MARK: The corpus

    /// Makes them all; some have files on disk, in this folder.
    static func all(in folder: URL) throws -> [SampleForm] {
        try [empty, oneOfEach, repeats, many] + hardNames + hardFilenames + hardValues + contents
            + sizes(in: folder)
    }

    private static let empty = SampleForm("a form without a part")

    private static var oneOfEach: SampleForm {
        var sample = SampleForm("a field and two files")
        sample.field("title", "Summer")
        sample.file("photo", "beach.heic", pattern(1_000), "image/heic")
        sample.file("note", "note.txt", Data("hello".utf8), "text/plain")
        return sample
    }

    private static var repeats: SampleForm {
        var sample = SampleForm("names that repeat")
        for index in 0..<3 {
            sample.field("tag", "\(index)")
            sample.file("file", "\(index).bin", Data("\(index)".utf8))
        }
        return sample
    }

    private static var many: SampleForm {
        var sample = SampleForm("many parts")
        for index in 0..<300 { sample.field("field\(index)", String(repeating: "x", count: index)) }
        for index in 0..<90 { sample.file("file\(index)", "\(index)", pattern(index)) }
        return sample
    }

    private static let names = [
        "simple", "two words", " blanks around ", #"a "quoted" name"#, "%22 as it stands", "100%",
        "semi;colon=equals", "a=b; filename=x", "héllo", "файл 名", "👩‍👩‍👧", "e\u{301}",
        "a\r\nX-Injected: 1",
        "a\nb", "a\rb", "tab\there", "<b>&", "user[photos][]", "a'b", "a,b", "a:b", "{curly}",
        String(repeating: "long", count: 100),
    ]

    private static var hardNames: [SampleForm] {
        (names + [#"back\slash"#]).map { name in
            var sample = SampleForm("the name \(name.debugDescription)")
            sample.field(name, "value")
            sample.field("next", "value")
            sample.file(name, "a.bin", Data("content".utf8))
            return sample
        }
    }

    private static var hardFilenames: [SampleForm] {
        let paths = [
            "folder/file.txt", "../../etc/passwd", "/etc/passwd", #"C:\photos\beach.jpg"#,
            #"\\server\share\a.txt"#, ".hidden", "noextension", "two.dots.tar.gz",
            "evil\r\nContent-Type: text/x\r\n\r\nSMUGGLED",
        ]
        return (names + paths).map { filename in
            var sample = SampleForm("the file name \(filename.debugDescription)")
            sample.file("file", filename, Data("ok".utf8), "text/x-thing")
            sample.field("next", "value")
            return sample
        }
    }

    private static var hardValues: [SampleForm] {
        let values = [
            "", " ", "héllo", "a\r\nb", "a\nb\rc", "\r\n", "--", "--\r\n", "👩‍👩‍👧", "a\0b", "a=b&c=d",
            String(repeating: "z", count: 200_000),
        ]
        return values.map { value in
            var sample = SampleForm("the value \(value.prefix(20).debugDescription)")
            sample.field("value", value)
            sample.field("next", "value")
            return sample
        }
    }

    private static var contents: [SampleForm] {
        let block = 65_536
        let old = MultipartForm()
        let dashes = Data("\r\n--\(old.boundary)\r\n--\(old.boundary)--\r\n".utf8)
        let contents = [
            ("like a delimiter", dashes), ("all line ends", Data("\r\n\r\n\n\r\r".utf8)),
            ("a delimiter's start at its end", Data("abc\r\n--".utf8)),
            ("a CR at its end", Data("abc\r".utf8)),
            ("dashes", Data(repeating: 0x2D, count: block)),
            ("CRLF and dashes", Data((0..<block).map { [0x0D, 0x0A, 0x2D, 0x2D][$0 % 4] })),
            ("every byte", Data((0..<1_024).map { UInt8(truncatingIfNeeded: $0) })),
            ("a form", (try? oneOfEach.form.encoded()) ?? Data()),
        ]
        var samples = contents.map { name, content in
            var sample = SampleForm("a file of \(name)")
            sample.field("before", "value")
            sample.file("file", "a.bin", content)
            sample.field("after", "value")
            return sample
        }
        // Almost the delimiter of the form itself: all but the last character, and at a border of chunks.
        var near = SampleForm("a file that almost holds the form's own delimiter")
        let almost = Data("\r\n--\(near.form.boundary.dropLast())".utf8)
        near.file("file", "a.bin", pattern(block - 20) + almost + almost + pattern(10))
        samples.append(near)
        return samples
    }

    private static func sizes(in folder: URL) throws -> [SampleForm] {
        try [0, 1, 2, 3, 65_535, 65_536, 65_537, 131_072, 5 << 20].map { size in
            let (url, content) = (folder.appendingPathComponent("\(size).bin"), pattern(size))
            try content.write(to: url)
            var sample = SampleForm("files of \(size) bytes, on disk and in memory")
            sample.form.file("disk", url: url, mime: "image/heic")
            sample.parts.append(
                Part(
                    name: "disk", filename: "\(size).bin", type: "image/heic", content: content))
            sample.file("memory", "a.bin", content)
            return sample
        }
    }
}
