// SPDX-License-Identifier: MIT

public import HTTPCore

/// The names of the stacks that a test runs over.
public let stacks = standardStacks.keys.sorted()

/// Makes one of them.
public func stack(_ name: String) throws -> any HTTPTransport {
    guard let make = standardStacks[name] else { throw NoStack(name: name) }
    return make()
}

private struct NoStack: Error {
    let name: String
}
