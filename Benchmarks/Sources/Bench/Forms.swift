// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// What is measured with a form that holds one large file.
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
        let watch = Stopwatch()
        var bytes: Int64 = 0
        for try await chunk in form { bytes += Int64(chunk.count) }
        watch.report()
        guard bytes == form.contentLength else { throw URLError(.cannotOpenFile) }
    }

    /// Uploads it, as an app does.
    func upload(to url: String) async throws {
        let watch = Stopwatch()
        try await API.shared.upload(url: url, form: form, debug: false)
        watch.report()
    }
}
