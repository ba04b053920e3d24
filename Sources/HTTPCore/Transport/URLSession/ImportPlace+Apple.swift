// SPDX-License-Identifier: MIT

#if canImport(Security) && canImport(UIKit)

/// Everywhere but on a Mac, an imported identity goes to the memory of the process and nowhere else.
struct ImportPlace {
    let options: [String: Any] = [:]

    static func forThisSystem() throws -> ImportPlace { ImportPlace() }
}
#endif
