// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
public import Foundation

/// Keys, certificates and PKCS#12 files for tests, made by the `openssl` command once per process.
///
/// The tree: a root, an intermediate below it, and below that a client; servers are signed by the root
/// itself. A second root is nobody's.
public struct TestCertificates: Sendable {
    /// What each `.p12` file is encrypted with.
    public static let password = "Pa55-of-the-p12"
    /// The common name of the client's certificate.
    public static let clientName = "Ann Client"

    /// The certificates of servers, each for `localhost` and `127.0.0.1` unless its name says otherwise.
    public enum Server: String, Sendable {
        case valid = "server"
        case expired
        case notYetValid = "future"
        case wrongHost = "wronghost"
        /// One for clients.
        case wrongPurpose = "wrongpurpose"
        /// Signed by the root that nobody trusts.
        case unknownRoot = "stranger"
        /// Signed by one who took the name of an authority that the system trusts.
        case falseAuthority = "false"
    }

    /// PKCS#12 files, all with ``password``.
    public enum ClientFile: String, CaseIterable, Sendable {
        /// Key, leaf and intermediate, encrypted with AES.
        case full
        /// The same with 3DES.
        case tripleDES = "3des"
        /// Encrypted with RC2, which OpenSSL 3 no longer reads.
        case rc2
        /// Without the intermediate.
        case leafOnly = "leaf"
        /// Full, of another client.
        case other
    }

    /// By file name; nothing is left on the disk.
    private let files: [String: Data]

    /// The one set, or why there is none.
    public static func shared() throws -> TestCertificates {
        try made.get()
    }

    private static let made = Result { try TestCertificates() }

    private init() throws {
        let folder = try Folder()
        let run = try Command(
            "/bin/sh", ["-eu", "-c", Self.script, "sh", Self.password, Self.clientName],
            in: folder.url)
        guard run.waitUntilExit() == 0 else { throw Failed(log: run.output) }
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            files[name] = try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        self.files = files
    }

    struct Failed: Error {
        let log: String
    }

    struct Missing: Error {
        let name: String
    }

    /// The bytes of a file.
    public func data(_ name: String) throws -> Data {
        guard let data = files[name] else { throw Missing(name: name) }
        return data
    }

    /// Writes the keys and certificates in PEM to a folder, for a server to read.
    func writePEM(to folder: URL) throws {
        for (name, data) in files where name.hasSuffix(".pem") || name.hasSuffix(".key") {
            try data.write(to: folder.appendingPathComponent(name))
        }
    }

    /// The root that servers and clients hang from, in PEM.
    public var root: Data {
        get throws { try data("root.pem") }
    }

    /// The root that nobody has a reason to trust, in PEM.
    public var otherRoot: Data {
        get throws { try data("otherroot.pem") }
    }

    /// The bytes of a PKCS#12 file.
    public func pkcs12(_ file: ClientFile = .full) throws -> Data {
        try data("\(file.rawValue).p12")
    }

    /// The SHA-256 of a server's public key, as a pin has it.
    public func keyHash(_ server: Server) throws -> Data {
        try data("\(server.rawValue).pin")
    }

    /// Certificate authorities of this system, where it has a file of them.
    static let systemRoots = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    ].first(where: FileManager.default.fileExists)

    /// Whether ``Server/falseAuthority`` can be made.
    public static var hasSystemRoots: Bool { systemRoots != nil }

    private static let script = """
        printf '[req]\\ndistinguished_name=dn\\n[dn]\\n' >req.cnf
        # request NAME COMMON-NAME
        request() {
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -config req.cnf \\
                -keyout "$1.key" -subj "/CN=$2" -out "$1.csr"
        }
        # sign NAME EXTENSIONS OPTION...
        sign() {
            printf "$2\\n" >"$1.ext"
            name=$1; shift 2
            openssl x509 -req -in "$name.csr" -extfile "$name.ext" -out "$name.pem" "$@"
        }
        authority='basicConstraints=critical,CA:TRUE\\nsubjectKeyIdentifier=hash'
        here='subjectAltName=DNS:localhost,IP:127.0.0.1'
        for root in root otherroot; do
            request $root "Duet test $root"
            sign $root "$authority" -signkey $root.key -days 3
        done
        by() { printf -- '-CA %s.pem -CAkey %s.key -set_serial 0x%s' "$1" "$1" "$(openssl rand -hex 8)"; }
        request intermediate 'Duet test intermediate'
        sign intermediate "$authority" -days 3 $(by root)

        request server localhost;        sign server "$here" -days 3 $(by root)
        request expired localhost;       sign expired "$here" -days -1 $(by root)
        request wronghost other.example; sign wronghost subjectAltName=DNS:other.example -days 3 $(by root)
        request wrongpurpose localhost;  sign wrongpurpose "$here\\nextendedKeyUsage=clientAuth" -days 3 $(by root)
        request stranger localhost;      sign stranger "$here" -days 3 $(by otherroot)
        # Only the command for authorities takes a date to start with.
        request future localhost; printf "$here\\n" >future.ext; : >database; echo 4D >serial
        printf '[ca]\\ndefault_ca=ca\\n[ca]\\ndatabase=database\\nserial=serial\\nnew_certs_dir=.\\n[any]\\ncommonName=supplied\\n' >ca.cnf
        openssl ca -batch -notext -config ca.cnf -policy any -md sha256 -extfile future.ext \\
            -cert root.pem -keyfile root.key -startdate 20900101000000Z -enddate 20910101000000Z \\
            -in future.csr -out future.pem
        for name in server expired wronghost stranger; do
            openssl pkey -in $name.key -pubout -outform DER | openssl dgst -sha256 -binary >$name.pin
        done

        export_to() { out=$1; shift; openssl pkcs12 -export -passout "pass:$password" -out $out.p12 "$@"; }
        password=$1
        aes='-keypbe AES-256-CBC -certpbe AES-256-CBC'
        for client in client otherclient; do
            [ $client = client ] && cn=$2 || cn='Bob Other'
            request $client "$cn"
            sign $client extendedKeyUsage=clientAuth -days 3 $(by intermediate)
        done
        own='-inkey client.key -in client.pem'
        export_to full $own -certfile intermediate.pem $aes
        export_to 3des $own -certfile intermediate.pem -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1
        export_to leaf $own $aes
        export_to rc2 $own -certfile intermediate.pem -legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-RC2-40 -macalg sha1
        export_to other -inkey otherclient.key -in otherclient.pem -certfile intermediate.pem $aes

        # The name of one of the system's own, with a key of ours of the same kind. Without a key
        # identifier, its name is all that a client has to look for the issuer by.
        bundle=\(systemRoots ?? "")
        [ -n "$bundle" ] || exit 0
        if openssl x509 -in $bundle -noout -text | grep -q rsaEncryption; then
            openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out falseroot.key
        else
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out falseroot.key
        fi
        openssl x509 -in $bundle -signkey falseroot.key -days 3 -out falseroot.pem
        request false localhost
        sign false "$here" -days 3 $(by falseroot)
        """
}
#endif
