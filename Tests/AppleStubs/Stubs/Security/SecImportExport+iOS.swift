// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import AppleFoundation

func place(_ options: [String: Any]) -> ImportedInto? { .memory }
#endif
