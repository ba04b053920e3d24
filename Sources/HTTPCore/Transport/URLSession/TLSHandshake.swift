// SPDX-License-Identifier: MIT

#if !canImport(Security)
internal import Foundation

/// Foundation on Linux can neither show a client certificate nor ask whom to trust: better no request
/// than one without what was asked for.
struct TLSHandshake {
    init(_ tls: TLSSettings) throws {
        guard tls == TLSSettings() else {
            throw URLError(
                .secureConnectionFailed,
                saying: "URLSession on Linux has no TLS settings: use CurlTransport.")
        }
    }
}
#endif
