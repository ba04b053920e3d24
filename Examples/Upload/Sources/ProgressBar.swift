// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor

/// Shows an upload's progress: a bar that is drawn over itself in a terminal, a line for every tenth
/// elsewhere.
///
/// `@unchecked Sendable`: its variables are touched under `lock` alone.
final class ProgressBar: @unchecked Sendable {
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let start = ContinuousClock.now
    private let lock = NSLock()
    private var shown = -1
    private var lastDraw: ContinuousClock.Instant?

    func show(_ progress: HTTPRequest.UploadProgress) {
        lock.lock()
        defer { lock.unlock() }
        let percent = Int((progress.fraction ?? 0) * 100)
        if isTerminal {
            // Twenty times a second is enough, and the end.
            if let lastDraw, .now - lastDraw < .milliseconds(50), percent < 100 { return }
            lastDraw = .now
            write("\r\(bar(percent)) \(words(progress, percent))\u{1B}[K")
        } else if percent / 10 > shown {
            shown = percent / 10
            write("  \(words(progress, percent))\n")
        }
    }

    /// Leaves the line that the bar is drawn on, if there is one.
    func finish() {
        lock.lock()
        defer { lock.unlock() }
        if lastDraw != nil { write("\n") }
    }

    private func bar(_ percent: Int) -> String {
        let width = 24
        let done = width * percent / 100
        return "[" + String(repeating: "#", count: done)
            + String(repeating: "-", count: width - done) + "]"
    }

    private func words(_ progress: HTTPRequest.UploadProgress, _ percent: Int) -> String {
        let sent = Double(progress.bytesSent)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = seconds > 0 ? sent / seconds : 0
        var words = String(format: "%3d %%  ", percent) + size(sent)
        if let all = progress.bytesInAll { words += " of " + size(Double(all)) }
        words += "  " + size(rate) + "/s"
        // The first moments say nothing about the rest.
        if let all = progress.bytesInAll, seconds > 0.5, rate > 0, percent < 100 {
            let left = Int((Double(all) - sent) / rate)
            words += String(format: "  %d:%02d left", left / 60, left % 60)
        }
        return words
    }

    private func size(_ bytes: Double) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (bytes, 0)
        while value >= 1_000, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return String(format: unit == 0 ? "%.0f " : "%.1f ", value) + units[unit]
    }

    private func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
