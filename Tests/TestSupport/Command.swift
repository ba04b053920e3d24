// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation

/// A program and what it says.
///
/// `@unchecked Sendable`: every field is a constant, and `Process` is only asked to start, in `init`.
final class Command: @unchecked Sendable {
    /// A program that starts while another's input is being made would keep that open.
    private static let starting = LoopbackServer.Guarded(())

    private let process = Process()
    private let input: Pipe
    private let log: URL
    private let ended = LoopbackServer.Guarded(false)

    /// Starts a server, which runs until it is stopped or the test process ends, be it by a crash.
    ///
    /// A shell waits in the background for the end of its input, and becomes the server. It may have
    /// inherited that milder signals are blocked.
    static func server(_ path: String, _ arguments: [String], in folder: URL) throws -> Command {
        let script = #"exec 3<&0; (cat <&3; kill -KILL $$) & exec "$0" "$@" 3<&-"#
        return try Command("/bin/sh", ["-c", script, path] + arguments, in: folder)
    }

    /// Starts a program; what it says goes to a file in the folder.
    init(_ path: String, _ arguments: [String], in folder: URL) throws {
        log = folder.appendingPathComponent("output")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let (process, ended) = (process, ended)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = output
        process.terminationHandler = { _ in ended.withLock { $0 = true } }
        input = try Self.starting.withLock { _ in
            let input = Pipe()
            LoopbackServer.Socket.prepare(input.fileHandleForWriting.fileDescriptor)
            process.standardInput = input
            try process.run()
            return input
        }
    }

    var hasEnded: Bool {
        ended.withLock { $0 }
    }

    /// What it has said.
    var output: String {
        String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
    }

    /// Blocks until it has ended; nil if that takes longer than a minute.
    @discardableResult
    func waitUntilExit() -> Int32? {
        ended.wait(timeout: 60) { $0 } ? process.terminationStatus : nil
    }

    /// Ends a server.
    func stop() {
        try? input.fileHandleForWriting.close()
        waitUntilExit()
    }
}
#endif
