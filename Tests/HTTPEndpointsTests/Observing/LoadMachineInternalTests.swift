// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

@testable import HTTPEndpoints

struct LoadMachineInternalTests {
    private struct Failed: Error {}
    private typealias Machine = LoadMachine<[Int]>

    private let start = Date(timeIntervalSince1970: 1_000)

    /// A machine that has loaded a value, at `start`.
    private func loaded(_ value: [Int]) -> Machine {
        var machine = Machine()
        let task = HTTPTask()
        _ = machine.begin(task)
        _ = machine.end(task, with: .success(value), at: start)
        return machine
    }

    private func text(_ machine: Machine) -> String {
        "\(machine.state) \(machine.value.map { "\($0)" } ?? "none")"
    }

    @Test func itStartsEmpty() {
        let machine = Machine()
        #expect(text(machine) == "empty none")
        #expect(machine.error == nil)
        #expect(machine.loadedAt == nil)
        #expect(machine.isEmpty)
    }

    @Test func aLoadThatSucceedsGivesTheValueAndItsTime() {
        var machine = Machine()
        let task = HTTPTask()
        let begun = machine.begin(task)
        #expect(begun.isChange)
        #expect(begun.superseded == nil)
        #expect(text(machine) == "loading none")
        #expect(machine.end(task, with: .success([1]), at: start).isChange)
        #expect(text(machine) == "success(Array<Int>) [1]")
        #expect(machine.loadedAt == start)
    }

    @Test func theLastGoodValueStaysWhileItReloadsAndWhenThatFails() {
        var machine = loaded([1])
        let task = HTTPTask()
        _ = machine.begin(task)
        #expect(text(machine) == "loading [1]")
        _ = machine.end(task, with: .failure(Failed()), at: start + 1)
        #expect(text(machine) == "failure(Failed()) [1]")
        #expect(machine.error is Failed)
        #expect(machine.loadedAt == start)
    }

    @Test func theErrorStaysUntilTheNextValue() {
        var machine = Machine()
        let (first, second) = (HTTPTask(), HTTPTask())
        _ = machine.begin(first)
        _ = machine.end(first, with: .failure(Failed()), at: start)
        _ = machine.begin(second)
        #expect(machine.error is Failed)
        _ = machine.end(second, with: .success([1]), at: start)
        #expect(machine.error == nil)
    }

    // O-46
    @Test func whatComesFromAnOlderLoadChangesNothing() {
        var machine = Machine()
        let (old, new) = (HTTPTask(), HTTPTask())
        _ = machine.begin(old)
        #expect(machine.begin(new).superseded === old)
        #expect(!machine.end(old, with: .success([1]), at: start).isChange)
        #expect(text(machine) == "loading none")
        _ = machine.end(new, with: .success([2]), at: start)
        #expect(!machine.end(old, with: .failure(Failed()), at: start).isChange)
        #expect(!machine.stop(old).isChange)
        #expect(text(machine) == "success(Array<Int>) [2]")
    }

    @Test func aLoadThatIsStoppedLeavesWhatThereWas() {
        var empty = Machine()
        var full = loaded([1])
        for error in [CancellationError() as any Error, URLError(.cancelled)] {
            let task = HTTPTask()
            _ = empty.begin(task)
            #expect(empty.end(task, with: .failure(error), at: start).isChange)
            #expect(text(empty) == "empty none")
            #expect(empty.error == nil)
            _ = full.begin(task)
            #expect(full.stop(task).isChange)
            #expect(text(full) == "success(Array<Int>) [1]")
        }
    }

    @Test func clearForgetsAllAndGivesTheLoadUp() {
        var machine = loaded([1])
        let task = HTTPTask()
        _ = machine.begin(task)
        let outcome = machine.clear()
        #expect(outcome.isChange)
        #expect(outcome.superseded === task)
        #expect(text(machine) == "empty none")
        #expect(machine.loadedAt == nil)
        #expect(!machine.clear().isChange)
    }

    @Test func clearTellsThatTheErrorIsGone() {
        var machine = Machine()
        let (failed, stopped) = (HTTPTask(), HTTPTask())
        _ = machine.begin(failed)
        _ = machine.end(failed, with: .failure(Failed()), at: start)
        _ = machine.begin(stopped)
        _ = machine.stop(stopped)
        #expect(text(machine) == "empty none")
        #expect(machine.error is Failed)
        #expect(machine.clear().isChange)
        #expect(machine.error == nil)
        #expect(!machine.clear().isChange)
    }

    @Test func aLoadIsNeededWhereThereIsNoneAndAfterAFailure() {
        var machine = Machine()
        #expect(machine.needsLoad(maxAge: nil, now: start))
        let task = HTTPTask()
        _ = machine.begin(task)
        #expect(!machine.needsLoad(maxAge: 0, now: start))
        _ = machine.end(task, with: .failure(Failed()), at: start)
        #expect(machine.needsLoad(maxAge: nil, now: start))
        #expect(!loaded([1]).needsLoad(maxAge: nil, now: .distantFuture))
    }

    // The state is that of the old value again, but the last load to end has failed.
    @Test func aLoadIsNeededAfterAFailureWhoseSuccessorWasStopped() {
        var machine = loaded([1])
        let (failed, stopped) = (HTTPTask(), HTTPTask())
        _ = machine.begin(failed)
        _ = machine.end(failed, with: .failure(Failed()), at: start)
        _ = machine.begin(stopped)
        _ = machine.stop(stopped)
        #expect(text(machine) == "success(Array<Int>) [1]")
        #expect(machine.needsLoad(maxAge: nil, now: start))
        #expect(machine.needsLoad(maxAge: 3_600, now: start))
    }

    @Test(arguments: [
        (10, 0, false), (10, 10, false), (10, 10.5, true), (10, -1, true), (0, 0, false),
        (0, 0.001, true), (-1, 0, true), (.infinity, 1e9, false), (.nan, 1, false),
    ])
    func aLoadIsNeededWhereTheValueIsTooOld(maxAge: Double, age: Double, isNeeded: Bool) {
        #expect(loaded([1]).needsLoad(maxAge: maxAge, now: start + age) == isNeeded)
    }

    // MARK: Local changes

    @Test func aChangeShowsAtOnceAndCanBeTakenBack() throws {
        var machine = loaded([1, 2])
        let (id, outcome) = try #require(machine.change { $0.removeFirst() })
        #expect(outcome.isChange)
        #expect(text(machine) == "success(Array<Int>) [2]")
        #expect(machine.loadedAt == start)
        #expect(machine.rollBack(id).isChange)
        #expect(text(machine) == "success(Array<Int>) [1, 2]")
        #expect(!machine.rollBack(id).isChange)
    }

    @Test func oneOfTwoChangesIsTakenBack() throws {
        var machine = loaded([1, 2, 3])
        let (first, _) = try #require(machine.change { $0.removeAll { $0 == 1 } })
        let (second, _) = try #require(machine.change { $0.removeAll { $0 == 3 } })
        #expect(machine.value == [2])
        _ = machine.rollBack(first)
        #expect(machine.value == [1, 2])
        _ = machine.rollBack(second)
        #expect(machine.value == [1, 2, 3])
    }

    @Test func aChangeThatIsKeptSurvivesTheRollbackOfAnother() throws {
        var machine = loaded([1, 2, 3])
        let (first, _) = try #require(machine.change { $0.removeAll { $0 == 1 } })
        let (second, _) = try #require(machine.change { $0.removeAll { $0 == 3 } })
        #expect(!machine.keep(second).isChange)
        #expect(machine.value == [2])
        _ = machine.rollBack(second)
        #expect(machine.value == [2])
        _ = machine.rollBack(first)
        #expect(machine.value == [1, 2])
    }

    @Test func aChangeThatIsKeptStaysInItsPlaceBetweenOthers() throws {
        var machine = loaded([])
        let (first, _) = try #require(machine.change { $0.append(1) })
        let (second, _) = try #require(machine.change { $0.append(2) })
        let (third, _) = try #require(machine.change { $0.append(3) })
        _ = machine.keep(second)
        _ = machine.rollBack(third)
        #expect(machine.value == [1, 2])
        _ = machine.rollBack(second)
        #expect(machine.value == [1, 2])
        _ = machine.rollBack(first)
        #expect(machine.value == [2])
    }

    @Test func aChangeThatIsKeptHoldsAgainstOneBeforeIt() throws {
        var machine = loaded([])
        let (first, _) = try #require(machine.change { $0 = [1] })
        let (second, _) = try #require(machine.change { $0 = [2] })
        let (third, _) = try #require(machine.change { $0.append(3) })
        _ = machine.keep(second)
        _ = machine.rollBack(third)
        #expect(machine.value == [2])
        _ = machine.keep(first)
        #expect(machine.value == [2])
    }

    @Test func aNewerValueEndsTheChanges() throws {
        var machine = loaded([1])
        let (id, _) = try #require(machine.change { $0 = [] })
        let task = HTTPTask()
        _ = machine.begin(task)
        #expect(machine.value == [])
        _ = machine.end(task, with: .success([7]), at: start)
        #expect(!machine.rollBack(id).isChange)
        #expect(machine.value == [7])
    }

    @Test func aChangeGivesUpTheLoadThatWouldUndoIt() {
        var machine = loaded([1])
        let task = HTTPTask()
        _ = machine.begin(task)
        #expect(machine.change { $0.append(2) }?.1.superseded === task)
        #expect(!machine.end(task, with: .success([1]), at: start).isChange)
        #expect(text(machine) == "success(Array<Int>) [1, 2]")
    }

    @Test func aChangeFromBeforeAClearTakesNothingBackAfterIt() throws {
        var machine = loaded([1])
        let (old, _) = try #require(machine.change { $0 = [] })
        _ = machine.clear()
        let task = HTTPTask()
        _ = machine.begin(task)
        _ = machine.end(task, with: .success([1]), at: start)
        _ = machine.change { $0.append(2) }
        #expect(!machine.rollBack(old).isChange)
        #expect(machine.value == [1, 2])
    }

    @Test func withoutAValueThereIsNothingToChange() {
        var machine = Machine()
        #expect(machine.change { $0 = [1] } == nil)
        #expect(text(machine) == "empty none")
    }
}

extension LoadMachine {
    /// Makes a change, and its ID.
    fileprivate mutating func change(
        _ apply: @escaping @Sendable (inout T) -> Void
    ) -> (UUID, Outcome)? {
        let id = UUID()
        let outcome = change(id, apply)
        return outcome.isChange ? (id, outcome) : nil
    }
}
