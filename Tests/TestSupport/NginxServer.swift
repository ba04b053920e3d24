// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
public import Foundation

/// A private nginx on free ports of the loopback interface, with TLS, client certificates and HTTP/2.
///
/// Unless a site's own directives say otherwise, each answer is an ``Exchange`` in JSON: what the server
/// saw, and on which connection. The server stops when it is released.
///
/// ```swift
/// let server = try NginxServer(NginxServer.Site(clients: .required))
/// let url = server.url("/hello")
/// ```
public final class NginxServer: Sendable {
    /// One `server` of the configuration, on a port of its own.
    public struct Site: Sendable {
        /// Whether a client has to show a certificate.
        public enum Clients: String, Sendable {
            case ignored = "off"
            case welcome = "optional"
            case required = "on"
        }

        var certificate: TestCertificates.Server
        var clients: Clients
        var speaksHTTP2: Bool
        var directives: String

        /// Describes a site.
        ///
        /// - Parameters:
        ///   - certificate: What it shows.
        ///   - clients: Whether it wants to see a certificate, of which it trusts the root alone.
        ///   - speaksHTTP2: Whether it offers HTTP/2 beside HTTP/1.1.
        ///   - directives: What else stands in its `server` block.
        public init(
            _ certificate: TestCertificates.Server = .valid, clients: Clients = .ignored,
            speaksHTTP2: Bool = true, directives: String = ""
        ) {
            self.certificate = certificate
            self.clients = clients
            self.speaksHTTP2 = speaksHTTP2
            self.directives = directives
        }
    }

    /// What the server knows about one request.
    public struct Exchange: Decodable, Sendable, Hashable {
        /// The number of the connection it came over.
        public let connection: Int
        /// The how-manieth of that connection it was, from 1.
        public let number: Int
        /// `HTTP/1.1` or `HTTP/2.0`.
        public let version: String
        /// Path and query.
        public let target: String
        /// The subject of the client's certificate, such as `CN=Ann`; empty when it showed none.
        public let client: String
        /// The status of the answer; 0 in the answer itself.
        public let status: Int
    }

    private let folder: Folder
    private let command: Command
    private let ports: [Int]

    /// Whether there is an nginx to run.
    public static var isInstalled: Bool { executable != nil }

    /// Whether it can take TLS off what is no HTTP of its own.
    public static var hasStreams: Bool {
        isInstalled && FileManager.default.fileExists(atPath: streamModule)
    }

    private static let streamModule = "/usr/lib/nginx/modules/ngx_stream_module.so"

    private static let executable = [
        "/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx",
    ].first(where: FileManager.default.isExecutableFile)

    /// Starts a server with one or more sites and waits until it listens.
    public convenience init(_ sites: Site...) throws {
        try self.init(ports: sites.count) { Self.configuration(sites, $0) }
    }

    /// Starts a server that takes TLS off what comes, and hands the bare bytes to another server.
    ///
    /// What that server sends goes back as it is, right or wrong.
    public convenience init(takingTLSOffFor server: LoopbackServer) throws {
        try self.init(ports: 1) { Self.configuration(of: $0[0], before: server.port) }
    }

    private init(ports count: Int, _ configuration: ([Int]) -> String) throws {
        let folder = try Folder()
        try TestCertificates.shared().writePEM(to: folder.url)
        // A port that was free a moment ago may be another test's by now.
        for _ in 0..<5 {
            let ports = try (0..<count).map { _ in try LoopbackServer.Socket.freePort() }
            let command = try Self.start(configuration(ports), in: folder)
            let pidFile = folder.url.appendingPathComponent("pid").path
            // It writes the file once it listens on all its ports.
            while !command.hasEnded, !FileManager.default.fileExists(atPath: pidFile) {
                usleep(2_000)
            }
            guard command.hasEnded else {
                (self.folder, self.command, self.ports) = (folder, command, ports)
                return
            }
            command.stop()
            guard command.output.contains("in use") else { throw Failed(log: command.output) }
        }
        throw Failed(log: "no port was free for long enough")
    }

    deinit {
        stop()
    }

    /// Closes all connections and waits until the process has ended.
    public func stop() {
        command.stop()
    }

    /// The URL of a path and query on one of the sites.
    public func url(_ pathAndQuery: String = "/", site: Int = 0, host: String = "localhost") -> URL
    {
        guard let url = URL(string: "https://\(host):\(ports[site])\(pathAndQuery)") else {
            preconditionFailure("not a path and query: \(pathAndQuery)")
        }
        return url
    }

    /// The access log: what has been answered so far, in order.
    public var exchanges: [Exchange] {
        get throws {
            let log = try Data(contentsOf: folder.url.appendingPathComponent("access"))
            // The last line may not be whole yet.
            return try log.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
                .map { try JSONDecoder().decode(Exchange.self, from: $0) }
        }
    }

    struct Failed: Error {
        let log: String
    }

    private static func start(
        _ configuration: String, in folder: Folder
    ) throws -> Command {
        guard let executable else { throw Failed(log: "nginx is not installed") }
        let path = folder.url.path
        try Data(configuration.utf8)
            .write(to: folder.url.appendingPathComponent("conf"))
        return try Command.server(executable, ["-p", path, "-c", "\(path)/conf"], in: folder.url)
    }

    private static func configuration(_ sites: [Site], _ ports: [Int]) -> String {
        // One process, which needs no rights and dies at once.
        """
        daemon off;
        master_process off;
        pid pid;
        error_log stderr;
        events { worker_connections 1024; }
        http {
            log_format seen '\(seen("$status"))';
            access_log access seen;
            client_body_temp_path client_body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            ssl_client_certificate root.pem;
            ssl_verify_depth 3;
            default_type application/json;
            \(zip(sites, ports).map(configuration).joined(separator: "\n"))
        }
        """
    }

    private static func configuration(of port: Int, before server: Int) -> String {
        """
        load_module \(streamModule);
        daemon off;
        master_process off;
        pid pid;
        error_log stderr;
        events { worker_connections 1024; }
        stream {
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate \(TestCertificates.Server.valid.rawValue).pem;
                ssl_certificate_key \(TestCertificates.Server.valid.rawValue).key;
                proxy_pass 127.0.0.1:\(server);
            }
        }
        """
    }

    private static func configuration(_ site: Site, _ port: Int) -> String {
        """
        server {
            listen 127.0.0.1:\(port) ssl\(site.speaksHTTP2 ? " http2" : "");
            ssl_certificate \(site.certificate.rawValue).pem;
            ssl_certificate_key \(site.certificate.rawValue).key;
            ssl_verify_client \(site.clients.rawValue);
            \(site.directives)
            location / { return 200 '\(seen("0"))'; }
            location /redirect { return 307 $arg_to; }
        }
        """
    }

    private static func seen(_ status: String) -> String {
        #"{"connection":$connection,"number":$connection_requests,"version":"$server_protocol","#
            + #""target":"$request_uri","client":"$ssl_client_s_dn","status":\#(status)}"#
    }
}
#endif
