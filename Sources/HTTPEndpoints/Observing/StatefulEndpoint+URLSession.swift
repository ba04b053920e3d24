// SPDX-License-Identifier: MIT

public import HTTPCore

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

extension StatefulEndpoint {
    /// Creates one that loads over sessions of its own, which are made from a session's configuration.
    ///
    /// > Important: The session's delegate is not asked: state roots and pins as `ServerTrust`, and pass
    /// > a transport that has them.
    ///
    /// - Parameters:
    ///   - endpoint: What to load.
    ///   - urlSession: Its configuration is used. Cookies are the app's shared ones if it has these.
    public convenience init(endpoint: Endpoint<T>, urlSession: URLSession) {
        let configuration = urlSession.configuration
        let isShared = configuration.httpCookieStorage === HTTPCookieStorage.shared
        self.init(
            endpoint: endpoint,
            transport: URLSessionTransport(configuration: configuration)
                .standard(cookies: isShared ? .shared : .private))
    }
}
