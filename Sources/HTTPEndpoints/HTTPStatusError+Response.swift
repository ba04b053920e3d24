// SPDX-License-Identifier: MIT

public import HTTPCore

#if canImport(FoundationNetworking)
internal import Foundation
#else
public import Foundation
#endif

extension HTTPStatusError {
    /// Creates an error from a head; what loads the endpoint adds the body.
    public convenience init(_ response: HTTPURLResponse) {
        self.init(
            status: response.statusCode, headers: HTTPFields(of: response),
            url: response.url ?? URL(fileURLWithPath: "/"))
    }
}
