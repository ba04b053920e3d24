// SPDX-License-Identifier: MIT

import HTTPActor
import TestTransports

extension API {
    /// Makes an actor on one of the stacks.
    static func over(_ name: String) throws -> API {
        API(transport: try stack(name))
    }
}
