// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// What is measured with a form that holds one large file.
///
///     Bench encode <file>
///     Bench form <url> <file>
///
/// Prints seconds and CPU seconds, the start of the process left out.
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
        let start = (wall: Bench.now(CLOCK_MONOTONIC), cpu: Bench.now(CLOCK_PROCESS_CPUTIME_ID))
        defer { report(since: start) }
        var bytes: Int64 = 0
        for try await chunk in form { bytes += Int64(chunk.count) }
        guard bytes == form.contentLength else { throw URLError(.cannotOpenFile) }
    }

    /// Uploads it, as an app does.
    func upload(to url: String) async throws {
        let start = (wall: Bench.now(CLOCK_MONOTONIC), cpu: Bench.now(CLOCK_PROCESS_CPUTIME_ID))
        defer { report(since: start) }
        try await API.shared.upload(url: url, form: form, debug: false)
    }

    private func report(since start: (wall: Double, cpu: Double)) {
        let wall = Bench.now(CLOCK_MONOTONIC) - start.wall
        let cpu = Bench.now(CLOCK_PROCESS_CPUTIME_ID) - start.cpu
        print(String(format: "%.4f %.4f", wall, cpu))
    }
}
