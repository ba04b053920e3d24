// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
public import Foundation

/// `openssl s_server`: a server that says no to a client's certificate in TLS itself.
///
/// nginx takes any client at first and says no in HTTP.
public final class OpenSSLServer: Sendable {
    private let folder: Folder
    private let command: Command
    private let port: Int

    /// Starts a server that wants a client's certificate and trusts the root alone.
    public init() throws {
        folder = try Folder()
        try TestCertificates.shared().writePEM(to: folder.url)
        let arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "server.pem",
            "-key", "server.key", "-CAfile", "root.pem", "-Verify", "3", "-verify_return_error",
        ]
        let command = try Command.server("/usr/bin/env", arguments, in: folder.url)
        self.command = command
        while !command.hasEnded, !command.output.contains("ACCEPT 127.0.0.1:") { usleep(2_000) }
        let rest = command.output.components(separatedBy: "ACCEPT 127.0.0.1:").last ?? ""
        guard let port = Int(rest.prefix(while: \.isNumber)) else {
            command.stop()
            throw Failed(log: command.output)
        }
        self.port = port
    }

    deinit {
        command.stop()
    }

    struct Failed: Error {
        let log: String
    }

    /// A page that says what was agreed on.
    public var url: URL {
        guard let url = URL(string: "https://localhost:\(port)/") else {
            preconditionFailure("not a port: \(port)")
        }
        return url
    }
}
#endif
