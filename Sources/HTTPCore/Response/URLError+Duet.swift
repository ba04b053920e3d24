// SPDX-License-Identifier: MIT

public import Foundation

private let requestMayHaveArrivedKey = "Duet.requestMayHaveArrived"

extension URLError {
    /// Whether the server may have seen the request, and so may have acted on it.
    ///
    /// True from the first byte sent, on any redirect hop. False: sending again can't repeat anything.
    public var requestMayHaveArrived: Bool {
        userInfo[requestMayHaveArrivedKey] as? Bool ?? false
    }

    /// An error whose description is a sentence of ours.
    package init(
        _ code: URLError.Code, saying sentence: String, requestMayHaveArrived mayHave: Bool = false
    ) {
        self.init(
            code,
            userInfo: [NSLocalizedDescriptionKey: sentence, requestMayHaveArrivedKey: mayHave])
    }

    /// The same error, of a request that may have arrived.
    func whereRequestMayHaveArrived() -> URLError {
        URLError(code, userInfo: userInfo.merging([requestMayHaveArrivedKey: true]) { $1 })
    }
}
