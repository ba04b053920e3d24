// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// What is measured with a form that holds one large file.
///
///     Bench encode <file>
///     Bench form <url> <file>
struct Forms {
    private let form: MultipartForm

    init(file: String) {
        var form = MultipartForm()
        form.field("title", "Benchmark")
        form.file("file", url: URL(fileURLWithPath: file))
        self.form = form
    }

    /// Reads the form to its end, to nowhere.
    func encode() async throws {
        var bytes: Int64 = 0
        for try await chunk in form { bytes += Int64(chunk.count) }
        guard bytes == form.contentLength else { throw URLError(.cannotOpenFile) }
    }

    /// Uploads it, as an app does.
    func upload(to url: String) async throws {
        try await API.shared.upload(url: url, form: form, debug: false)
    }
}
