// SPDX-License-Identifier: MIT

package import Foundation

/// A date as HTTP writes it, in each of its three forms and in those that cookies use.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT      Sunday, 06-Nov-94 08:49:37 GMT      Sun Nov  6 08:49:37 1994
/// ```
package enum HTTPDate {
    /// Reads a date by the rules of RFC 6265, section 5.1.1, which take all of them: find a time, a day, a
    /// month and a year, in any order.
    package static func parse(_ text: String) -> Date? {
        var parts = DateComponents()
        for token in text.split(whereSeparator: isDelimiter) {
            if parts.hour == nil, let time = time(token) {
                (parts.hour, parts.minute, parts.second) = time
            } else if parts.day == nil, let day = number(token, 1...2) {
                parts.day = day
            } else if parts.month == nil, let month = month(token) {
                parts.month = month
            } else if parts.year == nil, let year = number(token, 2...4) {
                parts.year = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
            }
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        guard let year = parts.year, year >= 1601, let day = parts.day, (1...31).contains(day),
            let hour = parts.hour, hour < 24, parts.minute ?? 60 < 60, parts.second ?? 61 <= 60,
            parts.month != nil
        else { return nil }
        // A day that its month does not have is no date; Foundation takes it for one of the next month.
        // Asked of midnight, since a leap second may end in the next day.
        let midnight = DateComponents(year: year, month: parts.month, day: day)
        guard let start = calendar.date(from: midnight),
            calendar.component(.day, from: start) == day
        else { return nil }
        return calendar.date(from: parts)
    }

    private static func isDelimiter(_ character: Character) -> Bool {
        !(character.isLetter || character.isNumber || character == ":")
    }

    /// The number that a token starts with; what follows its digits is of no account.
    private static func number(_ token: Substring, _ lengths: ClosedRange<Int>) -> Int? {
        let digits = token.prefix { ("0"..."9").contains($0) }
        return lengths.contains(digits.count) ? Int(digits) : nil
    }

    private static func month(_ token: Substring) -> Int? {
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex(of: token.prefix(3).lowercased()).map { $0 + 1 }
    }

    private static func time(_ token: Substring) -> (Int, Int, Int)? {
        let parts = token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
            let hour = number(parts[0], 1...2), let minute = number(parts[1], 1...2),
            let second = number(parts[2], 1...2)
        else { return nil }
        return (hour, minute, second)
    }
}
