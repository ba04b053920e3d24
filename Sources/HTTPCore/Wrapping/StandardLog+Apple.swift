// SPDX-License-Identifier: MIT

#if canImport(os)
internal import os

/// Where log lines go unless told otherwise: the system's log, subsystem Duet.
enum StandardLog {
    private static let log = OSLog(subsystem: "Duet", category: "HTTP")

    static func write(_ line: String) {
        // The line holds no secret, so it may be shown whole.
        os_log("%{public}@", log: log, type: .default, line)
    }
}
#endif
