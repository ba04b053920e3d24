// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore

/// Ends the process with a word on what hung: a task that never ends can't be failed from within.
func watched<Value>(_ name: String, _ work: () async throws -> Value) async rethrows -> Value {
    let number = Watchdog.shared.begin(name)
    defer { Watchdog.shared.end(number) }
    return try await work()
}

/// One timer for all: one for each would stay in memory until its time is up.
private final class Watchdog: Sendable {
    static let shared = Watchdog()

    private struct Table: Sendable {
        var next = 0
        var names: [Int: (name: String, start: Double)] = [:]
    }

    private let table = Locked(Table())

    private init() {
        let thread = Thread { [table] in
            while true {
                sleep(5)
                let now = ProcessInfo.processInfo.systemUptime
                let hung = table.withLock { $0.names.values.first { now - $0.start > 60 } }
                guard let hung else { continue }
                try? FileHandle.standardError.write(contentsOf: Data("hung: \(hung.name)\n".utf8))
                exit(EXIT_FAILURE)
            }
        }
        thread.name = "Watchdog"
        thread.start()
    }

    func begin(_ name: String) -> Int {
        table.withLock { table in
            table.next += 1
            table.names[table.next] = (name, ProcessInfo.processInfo.systemUptime)
            return table.next
        }
    }

    func end(_ number: Int) {
        table.withLock { $0.names[number] = nil }
    }
}
