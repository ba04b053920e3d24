// SPDX-License-Identifier: MIT

import Foundation

/// What `Scripts/fuzz` and `Scripts/soak` ask for, by the environment.
///
/// Without it, so in the suite, a few seconds' worth runs, the same each time.
enum Setting {
    /// How many mutations there are.
    static let fuzzCount = number("DUET_FUZZ_COUNT") ?? 400
    /// The seed of the first one; each later one has the next number.
    static let fuzzSeed = UInt64(number("DUET_FUZZ_SEED") ?? 1)
    /// Seconds of the mix, at least.
    static let soakSeconds = Double(number("DUET_SOAK_SECONDS") ?? 2)
    /// The kinds of the mix by their names, with commas between them, to look for the one at fault; nil: all.
    static let soakKinds = ProcessInfo.processInfo.environment["DUET_SOAK_KINDS"]?
        .split(separator: ",").map(String.init)
    /// Whether nothing else runs in the process, so that what it takes can be measured.
    static let isAlone =
        number("DUET_FUZZ_COUNT") != nil || number("DUET_SOAK_SECONDS") != nil

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
