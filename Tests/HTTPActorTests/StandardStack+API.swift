// SPDX-License-Identifier: MIT

import HTTPActor
import Testing

/// The names of the stacks that a test runs over.
let stacks = standardStacks.keys.sorted()

extension API {
    /// Makes an actor on one of the stacks.
    static func over(_ stack: String) throws -> API {
        let make = try #require(standardStacks[stack])
        return API(transport: make())
    }
}
