// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
public import Foundation

/// A server written in Python, in the environment that `Scripts/test` makes.
///
/// It prints its port and answers on the loopback interface. It stops when it is released.
public final class PythonServer: Sendable {
    private static let python = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../.build/interop/bin/python").path

    /// Whether there is such an environment.
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    private let folder: Folder
    private let command: Command

    /// Where it answers.
    public let url: URL

    /// Starts a script and waits until it has told its port.
    public init(_ script: URL, _ arguments: String...) throws {
        folder = try Folder()
        // -B: no folder of compiled scripts beside the script.
        command = try Command.server(Self.python, ["-B", script.path] + arguments, in: folder.url)
        while !command.hasEnded, !command.output.contains("\n") { usleep(2_000) }
        guard let port = Int(command.output.prefix { $0 != "\n" }),
            let url = URL(string: "http://127.0.0.1:\(port)/")
        else { throw Failed(log: command.output) }
        self.url = url
    }

    deinit {
        command.stop()
    }

    /// What it has said.
    public var log: String { command.output }

    struct Failed: Error {
        let log: String
    }
}
#endif
