// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// Uploads files as one form, shows how far it is, and prints what the server saw.
///
///     Upload [--to URL] FILE …
///
/// Without a URL it uploads to a server that it carries inside. Ends 0 when the server took it all.
@main
struct Upload {
    static func main() async {
        var files = Array(CommandLine.arguments.dropFirst())
        var target: String?
        if files.first == "--to", files.count > 1 {
            target = files[1]
            files.removeFirst(2)
        }
        guard !files.isEmpty, files.first?.hasPrefix("--") == false else {
            print("usage: Upload [--to URL] FILE …")
            exit(2)
        }
        do {
            try await upload(files.map { URL(fileURLWithPath: $0) }, to: target)
        } catch is CancellationError {
            print("Cancelled.")
            exit(1)
        } catch {
            print(userMessage(for: error))
            exit(1)
        }
    }

    static func upload(_ files: [URL], to target: String?) async throws {
        var form = MultipartForm()
        form.field("sender", "Duet")
        for file in files { form.file("file", url: file) }

        let url = try target ?? UploadServer().url.absoluteString
        print("Uploading \(files.count == 1 ? "a file" : "\(files.count) files") to \(url)")
        let bar = ProgressBar()
        let answer: String
        do {
            // After an error too, which is told on a line of its own.
            defer { bar.finish() }
            answer = try await API.shared.upload(
                url: url,
                form: form,
                onBytes: { bar.show($0) },
                debug: false
            )
        }
        print("The server says:\n\(answer)")
    }
}
