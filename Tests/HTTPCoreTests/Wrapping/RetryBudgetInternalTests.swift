// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPCore

struct RetryBudgetInternalTests {
    /// How many repeats it allows now.
    private func left(_ budget: RetryBudget) -> Int {
        var count = 0
        while budget.spend() { count += 1 }
        return count
    }

    @Test func itStartsFullAndIsEmptyThen() {
        let budget = RetryBudget()
        #expect(left(budget) == 5)
        #expect(left(budget) == 0)
    }

    @Test func tenRequestsGiveOneRepeat() {
        let budget = RetryBudget(perRequest: 0.125)
        _ = left(budget)
        for _ in 0..<7 { budget.earn(now: 1) }
        #expect(left(budget) == 0)
        budget.earn(now: 1)
        #expect(left(budget) == 1)
    }

    @Test func aMinuteGivesOneRepeat() {
        let budget = RetryBudget(perRequest: 0)
        budget.earn(now: 100)
        _ = left(budget)
        budget.earn(now: 159)
        #expect(left(budget) == 0)
        budget.earn(now: 160)
        #expect(left(budget) == 1)
    }

    @Test func itHoldsNoMoreThanItsCapacity() {
        let budget = RetryBudget(capacity: 3)
        for second in 0..<1_000_000 { budget.earn(now: Double(second)) }
        #expect(left(budget) == 3)
    }
}
