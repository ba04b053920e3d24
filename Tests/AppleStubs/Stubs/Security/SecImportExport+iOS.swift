// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import AppleFoundation

extension StubSecurity {
    /// Where an import goes, whatever its options.
    public static func place(_ options: [String: Any]) -> ImportedInto? { .memory }
}
#endif
