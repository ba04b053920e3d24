// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation

/// A private tinyproxy on a free port of the loopback interface; it stops when it is released.
public final class ProxyServer: Sendable {
    private let folder: Folder
    private let command: Command
    private let log: URL
    /// The port it listens on.
    public let port: Int

    private static let executable = [
        "/usr/bin/tinyproxy", "/opt/homebrew/bin/tinyproxy", "/usr/local/bin/tinyproxy",
    ].first(where: FileManager.default.isExecutableFile)

    /// Whether there is a tinyproxy to run.
    public static var isInstalled: Bool { executable != nil }

    /// Starts a proxy and waits until it listens.
    ///
    /// - Parameter directives: What else stands in its configuration, such as `ConnectPort 443`, the one
    ///   port that tunnels may then lead to.
    /// - Throws: When there is none to run, or it does not start.
    public init(_ directives: String = "") throws {
        guard let executable = Self.executable else { throw Failed(log: "not installed") }
        let folder = try Folder()
        let configuration = folder.url.appendingPathComponent("conf")
        log = folder.url.appendingPathComponent("log")
        // A port that was free a moment ago may be another test's by now.
        for _ in 0..<5 {
            let port = try LoopbackServer.Socket.freePort()
            // What it says on its standard output waits in a buffer; to a file it goes line by line.
            let lines = [
                "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "LogLevel Info",
                "LogFile \"\(log.path)\"", directives, "",
            ]
            try Data(lines.joined(separator: "\n").utf8).write(to: configuration)
            let command = try Command.server(
                executable, ["-d", "-c", configuration.path], in: folder.url)
            for _ in 0..<5_000 where !command.hasEnded {
                if Self.text(of: log).contains("Starting main loop") {
                    (self.folder, self.command, self.port) = (folder, command, port)
                    return
                }
                usleep(2_000)
            }
            command.stop()
        }
        throw Failed(log: "no port was free for long enough")
    }

    deinit {
        command.stop()
    }

    /// What it has been asked for so far, such as `CONNECT 127.0.0.1:443 HTTP/1.1`, in order.
    public var requests: [String] {
        Self.text(of: log).split(separator: "\n").filter { $0.contains("Request (") }
            .compactMap { $0.components(separatedBy: "): ").last }
    }

    private static func text(of file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }

    struct Failed: Error {
        let log: String
    }
}
#endif
