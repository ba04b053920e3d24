// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import HTTPCore

struct LayerInternalTests {
    /// The layers of a stack, outward from the network.
    private func layers(_ stack: any HTTPTransport) -> [String] {
        var names: [String] = []
        var inner = stack
        while let layer = inner as? any Layer {
            names.insert(String(describing: type(of: layer)), at: 0)
            inner = layer.base
        }
        return names.filter { $0 != "OptionsTransport" }
    }

    private let terminal = StubTransport { _ in .status(204) }

    private static let standard = [
        "LoggingTransport", "CookieTransport", "RetryTransport", "RedirectTransport",
        "TimeoutTransport",
    ]

    @Test func theStandardStackHasTheOrderOfItsPage() {
        #expect(layers(terminal.standard()) == Self.standard)
        #expect(
            layers(terminal.standard(cookies: .off))
                == Self.standard.filter { $0 != "CookieTransport" })
    }

    @Test func theVerbsWakeWhatIsThere() {
        #expect(layers(terminal.standard().retrying().logging()) == Self.standard)
        #expect(layers(terminal.standard().logging().retrying()) == Self.standard)
        let stack: any HTTPTransport = .default
        #expect(layers(stack.logging().retrying()).filter { $0 == "RetryTransport" }.count == 1)
    }

    @Test func aroundAnotherTransportTheyAddWhatIsMissing() {
        #expect(layers(terminal.logging().retrying()) == ["LoggingTransport", "RetryTransport"])
        // What an app has added further in is not there twice.
        #expect(layers(terminal.logging().standard()) == Self.standard)
    }

    @Test func authenticationIsAroundRedirectsAndTheLimitAroundAll() {
        let source = TokenSource { _ in BearerToken("a") }
        #expect(
            layers(terminal.standard().authenticating(with: source).timingOut(after: 1).retrying())
                == Self.standard + ["AuthTransport", "TimeoutTransport"])
    }
}
