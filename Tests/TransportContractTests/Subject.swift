// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

/// A transport that reaches the network by itself.
struct Terminal: Sendable {
    let name: String
    let make: @Sendable () -> any HTTPTransport
}

/// What the suite runs over: each terminal, bare and in the standard stack, made anew for each test.
struct Subject: Sendable, CustomTestStringConvertible {
    let terminal: Terminal
    let isStandard: Bool

    var testDescription: String { name }
    var name: String { isStandard ? "\(terminal.name).standard()" : terminal.name }

    func transport() -> any HTTPTransport {
        let bare = terminal.make()
        return isStandard ? bare.standard() : bare
    }

    static let all = Terminal.all.flatMap {
        [Subject(terminal: $0, isStandard: false), Subject(terminal: $0, isStandard: true)]
    }

    /// For a process of its own, which is given no more than the name.
    static func named(_ name: String) throws -> Subject {
        try #require(all.first { $0.name == name })
    }

    /// Those that live through a behaviour, whether they have it or not.
    static func surviving(_ behaviour: Behaviour) -> [Subject] {
        all.filter { Exceptions.entry($0.terminal, behaviour)?.failure != .endsTheProcess }
    }

    /// Runs the check of a behaviour, which must fail where the table of exceptions says so: an entry
    /// that has outlived its reason fails the test.
    func expect(
        _ behaviour: Behaviour, sourceLocation: SourceLocation = #_sourceLocation,
        _ check: () async throws -> Void
    ) async throws {
        guard let entry = Exceptions.entry(terminal, behaviour) else { return try await check() }
        await withKnownIssue(
            Comment(rawValue: entry.reason), isIntermittent: entry.failure == .sometimes,
            sourceLocation: sourceLocation, check)
    }

    /// The idle limit of a request that hangs where the table of exceptions says so: short there alone.
    ///
    /// What is right takes as long as a busy machine needs.
    func idleLimit(_ seconds: TimeInterval, ifLacking behaviour: Behaviour) -> TimeInterval {
        Exceptions.entry(terminal, behaviour) == nil ? 30 : seconds
    }
}

/// Runs a check over each subject, in each way to read, all at once: in a process of their own that costs no more
/// time than one of them.
func eachWay(
    _ subjects: [Subject], _ check: @escaping @Sendable (Subject, Reading) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for subject in subjects {
            for reading in Reading.allCases {
                group.addTask { try await check(subject, reading) }
            }
        }
        try await group.waitForAll()
    }
}
